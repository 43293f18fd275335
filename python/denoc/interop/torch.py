"""Torques and accelerations as functions of PyTorch that its gradients go through: pip install torch."""

from __future__ import annotations

from functools import reduce
from typing import Any

import torch  # type: ignore[import-not-found,import-untyped,unused-ignore]

from ..robot import Robot
from ._pullback import Problem, pullback, require, value


class _Asked(torch.autograd.Function):  # type: ignore[misc,unused-ignore]
    @staticmethod
    def forward(ctx: Any, robot: Robot, problem: Problem, how: dict[str, Any], *state: Any) -> Any:
        ctx.save_for_backward(*state)
        ctx.asked = robot, problem, how
        return _tensor(value(robot, problem, *map(_array, state), **how), state[0])

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator,misc,unused-ignore]
    def backward(ctx: Any, by: Any) -> Any:
        robot, problem, how = ctx.asked
        found = pullback(robot, problem, *map(_array, (*ctx.saved_tensors, by)), **how)
        return None, None, None, *(_tensor(each, by) for each in found)


def _array(tensor: Any) -> Any:
    return tensor.detach().cpu().numpy()


def _tensor(array: Any, like: Any) -> Any:
    return torch.from_numpy(array).to(like)


def inverse_dynamics(robot: Robot, q: Any, v: Any, a: Any, **how: Any) -> Any:
    """tau (..., nv; N m, N) as a tensor, from tensors q (..., nq), v, a (..., nv); options: ``forces``,
    ``wrenches``, ``loops``, ``errors``, ``threads``, as for :meth:`Robot.inverse_dynamics`.

    Gradients by q are those by its numbers, along quaternions none. First derivatives only.
    """
    return _Asked.apply(robot, "inverse_dynamics", how, *_aligned(robot, "inverse_dynamics", how, q, v, a))


def forward_dynamics(robot: Robot, q: Any, v: Any, tau: Any, **how: Any) -> Any:
    """a (..., nv; rad/s^2, m/s^2) as a tensor, from tensors q (..., nq), v, tau (..., nv); as :func:`inverse_dynamics`."""
    return _Asked.apply(robot, "forward_dynamics", how, *_aligned(robot, "forward_dynamics", how, q, v, tau))


def _aligned(robot: Robot, problem: Problem, how: dict[str, Any], *state: Any) -> list[Any]:
    """With the same leading axes and dtype; PyTorch adds up the gradients of those that were repeated."""
    require(robot, problem, state, how)
    dtype = reduce(torch.promote_types, (x.dtype for x in state), torch.float32)
    axes = torch.broadcast_shapes(*(x.shape[:-1] for x in state))
    return [x.expand(*axes, x.shape[-1]).to(dtype) for x in state]
