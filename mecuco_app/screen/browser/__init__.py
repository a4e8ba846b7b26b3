"""What runs in the browser, what it sends back, and every name of Streamlit or Plotly not promised.

All JavaScript and CSS of the pages is here. Each file says why it is needed, for which versions,
which test sees whether it still holds, and what will replace it.
"""
