"""The manifolds on offer, by name."""

from dataclasses import dataclass

from mecuco_core.datasets.manifolds.closed import Ellipsoid, Sphere, Torus
from mecuco_core.datasets.manifolds.flat import Cylinder, Plane, SCurve, SwissRoll
from mecuco_core.datasets.manifolds.graphs import MonkeySaddle, Paraboloid, Saddle
from mecuco_core.datasets.manifolds.other_dimensions import DSphere, Helix
from mecuco_core.datasets.manifolds.shape import Shape, ShapeParameter
from mecuco_core.datasets.manifolds.twisted import Catenoid, Helicoid, Moebius
from mecuco_core.errors import DataError


@dataclass(frozen=True)
class Manifold:
    """A manifold whose sizes are still to be chosen."""

    name: str
    description: str
    kind: type[Shape]

    @property
    def parameters(self) -> tuple[ShapeParameter, ...]:
        """The sizes that may be chosen, with defaults and ranges."""
        return self.kind.declared()

    @property
    def has_edge(self) -> bool:
        """Whether it ends somewhere."""
        return bool(self.kind.edges)

    @property
    def dimension(self) -> int:
        """Intrinsic dimension at the default sizes."""
        return self.kind().dimension

    @property
    def ambient_dimension(self) -> int:
        """Dimension of the space the formula lives in, at the default sizes."""
        return self.kind().ambient_dimension

    def shape(self, **sizes: float) -> Shape:
        """Return the manifold with these sizes, the others at their defaults.

        Raises
        ------
        DataError
            If a size is unknown or out of its range.
        """
        names = [parameter.name for parameter in self.parameters]
        for name, value in sizes.items():
            if name not in names:
                raise DataError(
                    f"shape parameter of {self.name} must be one of {', '.join(names)}, "
                    f"got {name}={value!r}"
                )
        return self.kind(**sizes)


MANIFOLDS: dict[str, Manifold] = {
    manifold.name: manifold
    for manifold in (
        Manifold("plane", "A flat rectangle: no curvature at all.", Plane),
        Manifold("sphere", "A ball's surface: the same curvature everywhere.", Sphere),
        Manifold("d-sphere", "A sphere of any dimension.", DSphere),
        Manifold("ellipsoid", "A stretched sphere: most curved at the ends.", Ellipsoid),
        Manifold("cylinder", "An open tube: curved around, straight along.", Cylinder),
        Manifold("torus", "A ring: curved like a ball outside, like a saddle inside.", Torus),
        Manifold("saddle", "Up one way, down the other: z = a (x² − y²).", Saddle),
        Manifold("paraboloid", "A bowl, most curved at the bottom: z = a (x² + y²).", Paraboloid),
        Manifold("catenoid", "A soap film between two rings: mean curvature zero.", Catenoid),
        Manifold("helicoid", "A spiral ramp: mean curvature zero.", Helicoid),
        Manifold("swiss-roll", "A sheet rolled to a spiral, tighter inside.", SwissRoll),
        Manifold("s-curve", "A sheet bent to an S, one way and then the other.", SCurve),
        Manifold("moebius", "A band with half a twist: one side, one edge.", Moebius),
        Manifold(
            "monkey-saddle", "A saddle for two legs and a tail: z = a (x³ − 3xy²).", MonkeySaddle
        ),
        Manifold("helix", "A coil: a curve of constant curvature.", Helix),
    )
}
