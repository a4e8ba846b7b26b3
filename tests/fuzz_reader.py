"""The process that reads files, under the guard of `tests.fuzz`."""

import os

from mecuco_app.work import file_worker
from tests.fuzz import BROKEN_RULE, BrokenRuleError, Guard

if __name__ == "__main__":
    guard, answer = Guard(), file_worker._answer

    def guarded(*request):
        """Answer a request; end at once where a rule is broken."""
        guard.on = True
        try:
            return answer(*request)
        except BrokenRuleError as broken:
            os.write(2, f"{broken}\n".encode())
            os._exit(BROKEN_RULE)
        finally:
            guard.on = False

    file_worker._answer = guarded
    file_worker.main()
