import { addConstant, floatsOf, type Graph, type Operation, wholeNumbers } from './onnx-file.ts'

/** The least and the greatest number that goes into and comes out of a convolution. */
export type Range = { in: readonly [number, number]; out: readonly [number, number] }

/**
 * The network with its convolutions calculated in eight bits instead of 32: processors take half of the time for them. Each
 * number that goes in or comes out is one of 256 between the ends of its range, and each weight one of 255.
 */
export function quantize(network: Graph, ranges: Readonly<Record<string, Range>>): Graph {
  const operations = network.operations.flatMap((operation) => {
    const range = operation.kind === 'Conv' ? ranges[operation.name] : undefined
    if (range) return eightBits(network, operation, range)
    return [network.opset < quantizingOpset && operation.kind === 'Slice' ? withInputs(network, operation) : operation]
  })
  return { ...network, operations, opset: Math.max(network.opset, quantizingOpset) }
}

/** The first version of the operations that has the ones used here. */
const quantizingOpset = 10

/** A convolution becomes three operations: from floating point to eight bits, the convolution, and back. */
function eightBits(network: Graph, convolution: Operation, range: Range): Operation[] {
  const { name, inputs, outputs, attributes } = convolution
  const [input = '', weightName = '', biasName] = inputs
  const from = scaleOf(network, `${name}.in`, range.in)
  const to = scaleOf(network, `${name}.out`, range.out)
  const weights = eightBitWeights(network, weightName)
  const bias = Int32Array.from(weights.scales, (scale, channel) =>
    Math.round((floatsOf(network, biasName)?.[channel] ?? 0) / (from.step * scale)),
  )
  const added = addConstant(network, `${name}.added`, bias, [bias.length])
  const [before, after] = [`${name}.before`, `${name}.after`]
  return [
    operationOf('QuantizeLinear', `${name}.quantize`, [input, ...from.names], [before]),
    {
      ...operationOf('QLinearConv', name, [before, ...from.names, ...weights.names, ...to.names, added], [after]),
      attributes,
    },
    operationOf('DequantizeLinear', `${name}.dequantize`, [after, ...to.names], outputs),
  ]
}

const operationOf = (kind: string, name: string, inputs: string[], outputs: string[]): Operation => ({
  kind,
  name,
  inputs,
  outputs,
  attributes: [],
})

/** How far apart the 256 numbers of a range are, and which of them is zero. */
function scaleOf(network: Graph, name: string, [least, greatest]: readonly [number, number]) {
  const step = (greatest - least) / 255
  const zero = Math.min(255, Math.max(0, Math.round(-least / step)))
  const names = [
    addConstant(network, `${name}.step`, Float32Array.of(step)),
    addConstant(network, `${name}.zero`, Uint8Array.of(zero)),
  ]
  return { step: Math.fround(step), names }
}

/**
 * Weights with a sign are faster on ARM, and inexact on x64 processors without VNNI, where 128 stands for zero. The results are
 * the same.
 */
const [Weights, zeroWeight] = process.arch === 'arm64' ? ([Int8Array, 0] as const) : ([Uint8Array, 128] as const)

function eightBitWeights(network: Graph, name: string) {
  const [values = new Float32Array(), dims = []] = [floatsOf(network, name), network.constants.get(name)?.dims]
  const [channels = 1] = dims
  const perChannel = values.length / channels
  const rows = Array.from({ length: channels }, (_, channel) =>
    values.subarray(channel * perChannel, (channel + 1) * perChannel),
  )
  const scales = Float32Array.from(
    rows,
    (row) => row.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127 || 1,
  )
  const rounded = new Weights(values.length)
  for (let i = 0; i < values.length; i++) {
    rounded[i] = zeroWeight + Math.round((values[i] ?? 0) / (scales[Math.floor(i / perChannel)] ?? 1))
  }
  const names = [
    addConstant(network, `${name}.rounded`, rounded, dims),
    addConstant(network, `${name}.steps`, scales, [channels]),
    addConstant(network, `${name}.zeros`, new Weights(channels).fill(zeroWeight), [channels]),
  ]
  return { scales, names }
}

/** Since version 10 the settings of a slice are inputs. */
function withInputs(network: Graph, slice: Operation): Operation {
  const settings = ['starts', 'ends', 'axes'].map((setting) => {
    const numbers = wholeNumbers(slice, setting)
    return addConstant(network, `${slice.name}.${setting}`, BigInt64Array.from(numbers, BigInt), [numbers.length])
  })
  return { ...slice, inputs: [...slice.inputs, ...settings], attributes: [] }
}
