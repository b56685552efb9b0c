import {
  addConstant,
  floatsOf,
  fraction,
  fractionAttribute,
  type Graph,
  type Operation,
  wholeNumbers,
} from './onnx-file.ts'

// The networks were saved as they were trained: around each convolution are a normalization, multiplications and additions that
// only scale its result, and an activation in four operations. Each of them goes through all pixels once more. Calculated into
// the weights of the convolution, they give the same numbers.

/** The same network with fewer operations. The given one is changed. */
export function fold(network: Graph): Graph {
  const rest = new Rest(network)
  for (const convolution of rest.all('Conv')) {
    foldNormalization(rest, convolution)
    foldScale(rest, convolution)
  }
  for (const sum of rest.all('Add')) {
    const activation = joinHardSwish(rest, sum)
    if (activation) foldScaleBefore(rest, activation)
  }
  return { ...network, operations: network.operations.filter((operation) => rest.has(operation)) }
}

/** The operations of a network that are left. */
class Rest {
  readonly network: Graph
  readonly #removed = new Set<Operation>()

  constructor(network: Graph) {
    this.network = network
  }

  has = (operation: Operation) => !this.#removed.has(operation)
  remove = (...operations: Operation[]) => operations.forEach((operation) => void this.#removed.add(operation))
  all = (kind: string) => this.network.operations.filter((operation) => operation.kind === kind && this.has(operation))

  /** The operation that alone uses the result of another, if it is of this kind. */
  next(operation: Operation, kind: string): Operation | undefined {
    const [result = ''] = operation.outputs
    const users = this.network.operations.filter((each) => this.has(each) && each.inputs.includes(result))
    return users.length === 1 && users[0]?.kind === kind ? users[0] : undefined
  }

  /** The next operation, if it is of this kind and its other operand is one constant number. */
  nextWithNumber(operation: Operation, kind: string): { operation: Operation; number: number } | undefined {
    const next = this.next(operation, kind)
    const number = next && this.number(next)
    return next && number !== undefined ? { operation: next, number } : undefined
  }

  number({ inputs }: Operation): number | undefined {
    return inputs.map((name) => floatsOf(this.network, name)).find((values) => values?.length === 1)?.[0]
  }

  /** The weights of a convolution by channel of its result, and what it adds to each channel. */
  weights(convolution: Operation) {
    const { network } = this
    const [, name = ''] = convolution.inputs
    const [weights = new Float32Array(), [channels = 1] = []] = [
      floatsOf(network, name),
      network.constants.get(name)?.dims,
    ]
    convolution.inputs[2] ??= addConstant(network, `${name}.bias`, new Float32Array(channels), [channels])
    const bias = floatsOf(network, convolution.inputs[2]) ?? new Float32Array()
    return { weights, bias, perChannel: weights.length / channels }
  }
}

function foldNormalization(rest: Rest, convolution: Operation) {
  const next = rest.next(convolution, 'BatchNormalization')
  if (!next) return
  const { weights, bias, perChannel } = rest.weights(convolution)
  const [scale = [], shift = [], mean = [], variance = []] = next.inputs
    .slice(1)
    .map((name) => floatsOf(rest.network, name) ?? [])
  const epsilon = fraction(next, 'epsilon')
  for (let channel = 0; channel < bias.length; channel++) {
    const factor = at(scale, channel) / Math.sqrt(at(variance, channel) + epsilon)
    for (let i = channel * perChannel; i < (channel + 1) * perChannel; i++) weights[i] = at(weights, i) * factor
    bias[channel] = (at(bias, channel) - at(mean, channel)) * factor + at(shift, channel)
  }
  convolution.outputs = next.outputs
  rest.remove(next)
}

/** A multiplication and an addition of one number after the convolution. */
function foldScale(rest: Rest, convolution: Operation) {
  const scale = rest.nextWithNumber(convolution, 'Mul')
  const shift = scale && rest.nextWithNumber(scale.operation, 'Add')
  if (!shift) return
  const { weights, bias } = rest.weights(convolution)
  for (let i = 0; i < weights.length; i++) weights[i] = at(weights, i) * scale.number
  for (let i = 0; i < bias.length; i++) bias[i] = at(bias, i) * scale.number + shift.number
  convolution.outputs = shift.operation.outputs
  rest.remove(scale.operation, shift.operation)
}

/** Hard swish is x · min(max(x + 3, 0), 6) / 6, saved as four operations: as two it is x · hardSigmoid(x). */
function joinHardSwish(rest: Rest, sum: Operation): Operation | undefined {
  const clip = rest.number(sum) === 3 ? rest.next(sum, 'Clip') : undefined
  const product = clip && rest.next(clip, 'Mul')
  const quotient = product && rest.nextWithNumber(product, 'Div')
  if (!product || quotient?.number !== 6) return undefined
  const x = sum.inputs.find((name) => !rest.network.constants.has(name)) ?? ''
  sum.kind = 'HardSigmoid'
  sum.inputs = [x]
  sum.attributes = [fractionAttribute('alpha', 1 / 6), fractionAttribute('beta', 0.5)]
  product.inputs = [x, ...sum.outputs]
  product.outputs = quotient.operation.outputs
  rest.remove(clip, quotient.operation)
  return product
}

/**
 * A multiplication and an addition of one number between an activation and the next convolution. At the edge of a padded
 * convolution there is nothing to add to, so there the addition stays.
 */
function foldScaleBefore(rest: Rest, activation: Operation) {
  const scale = rest.nextWithNumber(activation, 'Mul')
  const shift = scale && rest.nextWithNumber(scale.operation, 'Add')
  const convolution = shift && rest.next(shift.operation, 'Conv')
  if (!convolution) return
  const { weights, bias, perChannel } = rest.weights(convolution)
  const isPadded = wholeNumbers(convolution, 'pads').some((padding) => padding > 0)
  for (let i = 0; i < weights.length; i++) {
    const channel = Math.floor(i / perChannel)
    if (!isPadded) bias[channel] = at(bias, channel) + at(weights, i) * shift.number
    weights[i] = at(weights, i) * scale.number
  }
  rest.remove(scale.operation)
  if (isPadded) {
    const name = addConstant(
      rest.network,
      `${shift.operation.name}.shift`,
      Float32Array.of(shift.number / scale.number),
      [1],
    )
    shift.operation.inputs = [...activation.outputs, name]
  } else {
    convolution.inputs[0] = activation.outputs[0] ?? ''
    rest.remove(shift.operation)
  }
}

const at = (values: ArrayLike<number>, index: number) => values[index] ?? 0
