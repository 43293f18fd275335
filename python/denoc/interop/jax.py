"""Torques and accelerations as functions of JAX that its gradients, ``jit`` and ``vmap`` go through: pip install jax."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax  # type: ignore[import-not-found,import-untyped,unused-ignore]
import jax.numpy as jnp  # type: ignore[import-not-found,import-untyped,unused-ignore]
import numpy as np

from ..robot import Robot
from ._pullback import Problem, pullback, require, value


def _like(array: Any, dtype: Any) -> Any:
    return jax.ShapeDtypeStruct(array.shape, dtype)  # type: ignore[no-untyped-call,unused-ignore]


@partial(jax.custom_vjp, nondiff_argnums=(0, 1, 2))  # type: ignore[untyped-decorator,misc,unused-ignore]
def _asked(robot: Robot, problem: Problem, how: tuple[tuple[str, Any], ...], q: Any, v: Any, x: Any) -> Any:
    def call(*state: Any) -> Any:
        return value(robot, problem, *map(np.asarray, state), **dict(how)).astype(x.dtype)

    return jax.pure_callback(call, _like(v, x.dtype), q, v, x, vmap_method="broadcast_all")


def _forward(robot: Robot, problem: Problem, how: Any, *state: Any) -> tuple[Any, Any]:
    return _asked(robot, problem, how, *state), state


def _backward(robot: Robot, problem: Problem, how: Any, state: Any, by: Any) -> Any:
    def call(*given: Any) -> Any:
        found = pullback(robot, problem, *map(np.asarray, given), **dict(how))
        return tuple(each.astype(x.dtype) for each, x in zip(found, state))

    shapes = tuple(_like(x, x.dtype) for x in state)
    return jax.pure_callback(call, shapes, *state, by, vmap_method="broadcast_all")


_asked.defvjp(_forward, _backward)


def inverse_dynamics(robot: Robot, q: Any, v: Any, a: Any, **how: Any) -> Any:
    """tau (..., nv; N m, N) from arrays q (..., nq), v, a (..., nv); options: ``forces``, ``wrenches``, ``loops``,
    ``errors``, ``threads``, as for :meth:`Robot.inverse_dynamics`.

    Gradients by q are those by its numbers, along quaternions none. First derivatives only, in reverse (``grad``,
    ``jacrev``): :meth:`Robot.second_derivatives` has the second ones.
    """
    return _asked(robot, "inverse_dynamics", tuple(how.items()), *_aligned(robot, "inverse_dynamics", how, q, v, a))


def forward_dynamics(robot: Robot, q: Any, v: Any, tau: Any, **how: Any) -> Any:
    """a (..., nv; rad/s^2, m/s^2) from arrays q (..., nq), v, tau (..., nv); as :func:`inverse_dynamics`."""
    return _asked(robot, "forward_dynamics", tuple(how.items()), *_aligned(robot, "forward_dynamics", how, q, v, tau))


def _aligned(robot: Robot, problem: Problem, how: dict[str, Any], *state: Any) -> list[Any]:
    """With the same leading axes and dtype; JAX adds up the gradients of those that were repeated."""
    arrays = [jnp.asarray(x) for x in state]
    require(robot, problem, arrays, how)
    dtype = jnp.result_type(*arrays, jnp.float32)
    axes = jnp.broadcast_shapes(*(x.shape[:-1] for x in arrays))
    return [jnp.broadcast_to(x, (*axes, x.shape[-1])).astype(dtype) for x in arrays]
