"""Writes the encoder as an ONNX graph of 4-bit matrices: token ids in, unit vectors out.

The network is a post-LayerNorm BERT with erf-GELU; mean pooling over the attention mask and
L2 normalisation are part of the graph. Weights keep the bits of the source file, beside the
graph in a file of their own, which ONNX Runtime maps instead of copying.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import TensorProto, helper

from build.e5_weights import BLOCK

if TYPE_CHECKING:
    from pathlib import Path

    from build.e5_weights import E5Weights

GRAPH_FILE = "model.onnx"
DATA_FILE = "model.onnx.data"

OPSET = 20
IR_VERSION = 9
PAGE = 4096
MASKED = -1e9
ACCURACY_INT8 = 4


def write_graph(weights: E5Weights, folder: Path) -> None:
    """Write ``model.onnx`` and ``model.onnx.data``; equal weights give equal bytes.

    Inputs ``input_ids`` and ``attention_mask``: int64 (batch, sequence). Output
    ``embedding``: float32 (batch, hidden), rows of length 1.
    """
    data = folder / DATA_FILE
    with data.open("wb") as file:
        graph = _Graph(file)
        _network(graph, weights)
    model = _model(graph, weights)
    path = folder / GRAPH_FILE
    path.write_bytes(model.SerializeToString(deterministic=True))
    # A function runs as another user than the one who built the layer or the image.
    path.chmod(0o644)
    data.chmod(0o644)


def _model(graph: _Graph, weights: E5Weights) -> onnx.ModelProto:
    tokens: list[str | int | None] = ["batch", "sequence"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, tokens)
        for name in ("input_ids", "attention_mask")
    ]
    row: list[str | int | None] = ["batch", weights.shape.hidden]
    output = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, row)
    built = helper.make_graph(graph.nodes, "encoder", inputs, [output], graph.tensors)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)]
    # A fixed producer and IR version: the bytes must not depend on the onnx package.
    return helper.make_model(
        built, opset_imports=opsets, ir_version=IR_VERSION, producer_name="edgewiki"
    )


class _Graph:
    """Collects nodes in order; large tensors go straight to the data file, page-aligned."""

    def __init__(self, data: Any) -> None:
        self.data = data
        self.nodes: list[onnx.NodeProto] = []
        self.tensors: list[onnx.TensorProto] = []
        self.small: set[str] = set()

    def add(self, op: str, *inputs: str, name: str, domain: str = "", **attributes: Any) -> str:
        """Append a node; its single output is called as the node is."""
        node = helper.make_node(op, inputs, [name], name=name, domain=domain, **attributes)
        self.nodes.append(node)
        return name

    def weight(self, name: str, values: np.ndarray[Any, Any], kind: int | None = None) -> str:
        """Store a tensor in the data file. INT4 comes packed: two to a byte."""
        dims = list(values.shape)
        if kind == TensorProto.INT4:
            dims[-1] *= 2
        kind = kind or helper.np_dtype_to_tensor_dtype(values.dtype)
        self.data.write(b"\0" * (-self.data.tell() % PAGE))
        raw = values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes()
        tensor = TensorProto(name=name, data_type=kind, dims=dims)
        tensor.data_location = TensorProto.EXTERNAL
        place = {"location": DATA_FILE, "offset": self.data.tell(), "length": len(raw)}
        for key, value in place.items():
            tensor.external_data.add(key=key, value=str(value))
        self.data.write(raw)
        self.tensors.append(tensor)
        return name

    def ints(self, *values: int) -> str:
        """A small int64 vector inside the graph file, stored once per value."""
        return self._constant("ints" + "_".join(map(str, values)), np.array(values, np.int64))

    def number(self, value: float) -> str:
        """A float32 scalar inside the graph file, stored once per value."""
        return self._constant(f"number_{value!r}", np.array(value, np.float32))

    def _constant(self, name: str, values: np.ndarray[Any, Any]) -> str:
        if name not in self.small:
            self.small.add(name)
            self.tensors.append(onnx.numpy_helper.from_array(values, name))
        return name


def _network(graph: _Graph, weights: E5Weights) -> None:
    mask = graph.add("Cast", "attention_mask", name="mask", to=TensorProto.FLOAT)
    hidden = _embeddings(graph, weights)
    bias = _attention_bias(graph, mask)
    for layer in range(weights.shape.layers):
        hidden = _layer(graph, weights, f"l{layer}", hidden, bias)
    _pool(graph, hidden, mask)


def _embeddings(graph: _Graph, weights: E5Weights) -> str:
    word = weights.matrices["emb.word"]
    # Flipping its high bit makes nibble - 8 a signed nibble: no table of zero points.
    signed = word.consecutive().reshape(weights.shape.vocabulary, -1) ^ 0x88
    table = graph.weight("emb.word", signed, TensorProto.INT4)
    scales = graph.weight("emb.word.scales", word.scales)
    half = graph.add(
        "GatherBlockQuantized", table, "input_ids", scales,
        name="emb.half", domain="com.microsoft", gather_axis=0, quantize_axis=1, block_size=BLOCK,
    )  # fmt: skip
    words = graph.add("Cast", half, name="emb.words", to=TensorProto.FLOAT)
    # Every token has type 0: its embedding is part of each position's.
    positions = weights.floats["emb.pos"] + weights.floats["emb.type"][0]
    table = graph.weight("emb.pos", positions)
    length = graph.add("Shape", "input_ids", name="length", start=1, end=2)
    used = graph.add("Slice", table, graph.ints(0), length, graph.ints(0), name="emb.positions")
    total = graph.add("Add", words, used, name="emb.sum")
    return _layer_norm(graph, weights, "emb.ln", total)


def _layer(graph: _Graph, weights: E5Weights, name: str, hidden: str, bias: str) -> str:
    attended = _attention(graph, weights, name, hidden, bias)
    attended = _dense(graph, weights, f"{name}.ao", attended)
    total = graph.add("Add", attended, hidden, name=f"{name}.attended")
    hidden = _layer_norm(graph, weights, f"{name}.aln", total)
    wide = _dense(graph, weights, f"{name}.fi", hidden)
    wide = graph.add("Gelu", wide, name=f"{name}.gelu", approximate="none")
    narrow = _dense(graph, weights, f"{name}.fo", wide)
    total = graph.add("Add", narrow, hidden, name=f"{name}.fed")
    return _layer_norm(graph, weights, f"{name}.oln", total)


def _attention(graph: _Graph, weights: E5Weights, name: str, hidden: str, bias: str) -> str:
    shape = weights.shape
    width = shape.hidden // shape.heads
    split = graph.ints(0, 0, shape.heads, width)
    orders = {"q": [0, 2, 1, 3], "k": [0, 2, 3, 1], "v": [0, 2, 1, 3]}
    parts = {}
    for part, order in orders.items():
        dense = _dense(graph, weights, f"{name}.{part}", hidden)
        heads = graph.add("Reshape", dense, split, name=f"{name}.{part}.heads")
        parts[part] = graph.add("Transpose", heads, name=f"{name}.{part}.turned", perm=order)
    scores = graph.add("MatMul", parts["q"], parts["k"], name=f"{name}.products")
    scale = graph.number(float(width) ** -0.5)
    scores = graph.add("Mul", scores, scale, name=f"{name}.scaled")
    scores = graph.add("Add", scores, bias, name=f"{name}.scores")
    shares = graph.add("Softmax", scores, name=f"{name}.shares", axis=-1)
    mixed = graph.add("MatMul", shares, parts["v"], name=f"{name}.mixed")
    mixed = graph.add("Transpose", mixed, name=f"{name}.mixed.turned", perm=[0, 2, 1, 3])
    return graph.add("Reshape", mixed, graph.ints(0, 0, shape.hidden), name=f"{name}.joined")


def _attention_bias(graph: _Graph, mask: str) -> str:
    """0 where a token is attended to, -1e9 where it is padding: (batch, 1, 1, sequence)."""
    absent = graph.add("Sub", graph.number(1.0), mask, name="mask.absent")
    bias = graph.add("Mul", absent, graph.number(MASKED), name="mask.bias")
    return graph.add("Unsqueeze", bias, graph.ints(1, 2), name="mask.attention")


def _dense(graph: _Graph, weights: E5Weights, name: str, hidden: str) -> str:
    """x · Wᵀ + b."""
    matrix = weights.matrices[f"{name}.w"]
    outputs, blocks = matrix.scales.shape
    packed = graph.weight(f"{name}.w", matrix.consecutive())
    # MatMulNBits wants scales of the type of its input; float16 → float32 loses nothing.
    scales = graph.weight(f"{name}.scales", matrix.scales.astype(np.float32).ravel())
    product = graph.add(
        "MatMulNBits", hidden, packed, scales, name=f"{name}.product", domain="com.microsoft",
        K=blocks * BLOCK, N=outputs, bits=4, block_size=BLOCK, accuracy_level=ACCURACY_INT8,
    )  # fmt: skip
    bias = graph.weight(f"{name}.b", weights.floats[f"{name}.b"])
    return graph.add("Add", product, bias, name=name)


def _layer_norm(graph: _Graph, weights: E5Weights, name: str, hidden: str) -> str:
    gain = graph.weight(f"{name}.w", weights.floats[f"{name}.w"])
    shift = graph.weight(f"{name}.b", weights.floats[f"{name}.b"])
    epsilon = weights.shape.epsilon
    return graph.add("LayerNormalization", hidden, gain, shift, name=name, epsilon=epsilon)


def _pool(graph: _Graph, hidden: str, mask: str) -> None:
    """The mean of the attended tokens, scaled to length 1 (its count cancels out)."""
    column = graph.add("Unsqueeze", mask, graph.ints(2), name="pool.mask")
    kept = graph.add("Mul", hidden, column, name="pool.kept")
    total = graph.add("ReduceSum", kept, graph.ints(1), name="pool.sum", keepdims=0)
    graph.add("LpNormalization", total, name="embedding", axis=1, p=2)
