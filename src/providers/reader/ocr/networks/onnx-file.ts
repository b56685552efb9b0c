import {
  bytesField,
  type Field,
  numberField,
  readFields,
  readNumbers,
  textField,
  wires,
  writeFields,
} from './protobuf.ts'

// As much of the ONNX format as is needed to change the networks that read receipts. Numbers of fields: onnx.proto3.

/** A network: operations in the order in which they run, and the numbers that were trained. */
export type Graph = {
  operations: Operation[]
  constants: Map<string, Constant>
  /** The version of the operations. */
  opset: number
  /** What is not changed. */
  modelFields: readonly Field[]
  graphFields: readonly Field[]
}

export type Operation = { kind: string; name: string; inputs: string[]; outputs: string[]; attributes: Attribute[] }

/** A setting of an operation: whole numbers, one number, or something that is kept as it is. */
export type Attribute = { name: string; fields: readonly Field[] }

export type Constant = { name: string; dims: readonly number[]; type: ElementType; values: Values }
type Values = Float32Array | Uint8Array | Int8Array | Int32Array | BigInt64Array

const elementTypes = { float: 1, uint8: 2, int8: 3, int32: 6, int64: 7 } as const
type ElementType = (typeof elementTypes)[keyof typeof elementTypes]

const model = { graph: 7, opset: 8 }
const graph = { node: 1, initializer: 5, output: 12, valueInfo: 13 }
const node = { input: 1, output: 2, name: 3, kind: 4, attribute: 5 }
const tensor = { dims: 1, type: 2, floats: 4, name: 8, raw: 9 }
const attribute = { name: 1, float: 2, tensor: 5, ints: 8, type: 20 }

export function parseOnnx(bytes: Uint8Array): Graph {
  const modelFields = readFields(bytes)
  const graphFields = readFields(oneOf(modelFields, model.graph) ?? new Uint8Array())
  const all = bytesOf(graphFields, graph.node).map(readOperation)
  const constants = [
    ...bytesOf(graphFields, graph.initializer).map(readConstant),
    ...all.filter(({ kind }) => kind === 'Constant').map(returnedConstant),
  ]
  return {
    operations: all.filter(({ kind }) => kind !== 'Constant'),
    constants: new Map(constants.map((constant) => [constant.name, constant])),
    opset: Number(numbersOf(readFields(oneOf(modelFields, model.opset) ?? new Uint8Array()), 2)[0]),
    modelFields: modelFields.filter(({ no }) => no !== model.graph && no !== model.opset),
    graphFields: graphFields.filter(({ no }) => ![graph.node, graph.initializer, graph.valueInfo].includes(no)),
  }
}

/** The file of a network, which also returns the named results of operations in between. */
export function writeOnnx(network: Graph, alsoReturned: readonly string[] = []): Uint8Array {
  const used = new Set(network.operations.flatMap(({ inputs }) => inputs))
  const constants = [...network.constants.values()].filter(({ name }) => used.has(name))
  const body = writeFields([
    ...network.operations.map((operation) => bytesField(graph.node, writeOperation(operation))),
    ...network.graphFields,
    ...constants.map((constant) => bytesField(graph.initializer, writeConstant(constant))),
    ...alsoReturned.map((name) => bytesField(graph.output, writeFields([textField(1, name)]))),
  ])
  const opset = writeFields([textField(1, ''), numberField(2, network.opset)])
  return writeFields([...network.modelFields, bytesField(model.graph, body), bytesField(model.opset, opset)])
}

const bytesOf = (fields: readonly Field[], no: number) =>
  fields.flatMap((field) => (field.no === no && field.wire === wires.bytes ? [field.value] : []))
const oneOf = (fields: readonly Field[], no: number) => bytesOf(fields, no)[0]
const textOf = (fields: readonly Field[], no: number) => Buffer.from(oneOf(fields, no) ?? []).toString()
const numbersOf = (fields: readonly Field[], no: number): bigint[] =>
  fields
    .filter((field) => field.no === no)
    .flatMap((field) => (field.wire === wires.number ? [field.value] : readNumbers(field.value)))

function readOperation(bytes: Uint8Array): Operation {
  const fields = readFields(bytes)
  const texts = (no: number) => bytesOf(fields, no).map((value) => Buffer.from(value).toString())
  const attributes = bytesOf(fields, node.attribute).map((value) => {
    const own = readFields(value)
    return { name: textOf(own, attribute.name), fields: own }
  })
  const [kind, name] = [textOf(fields, node.kind), textOf(fields, node.name)]
  return { kind, name, inputs: texts(node.input), outputs: texts(node.output), attributes }
}

const writeOperation = ({ kind, name, inputs, outputs, attributes }: Operation) =>
  writeFields([
    ...inputs.map((input) => textField(node.input, input)),
    ...outputs.map((output) => textField(node.output, output)),
    textField(node.name, name),
    textField(node.kind, kind),
    ...attributes.map(({ fields }) => bytesField(node.attribute, writeFields(fields))),
  ])

/** What an operation of the kind Constant returns. */
function returnedConstant({ attributes: [value], outputs: [name = ''] }: Operation): Constant {
  return { ...readConstant(oneOf(value?.fields ?? [], attribute.tensor) ?? new Uint8Array()), name }
}

function readConstant(bytes: Uint8Array): Constant {
  const fields = readFields(bytes)
  const type = Number(numbersOf(fields, tensor.type)[0]) as ElementType
  const raw = oneOf(fields, tensor.raw) ?? Buffer.concat(bytesOf(fields, tensor.floats))
  const aligned = new Uint8Array(raw).buffer
  const values = type === elementTypes.float ? new Float32Array(aligned) : new Uint8Array(aligned)
  return { name: textOf(fields, tensor.name), dims: numbersOf(fields, tensor.dims).map(Number), type, values }
}

const writeConstant = ({ name, dims, type, values }: Constant) =>
  writeFields([
    ...dims.map((length) => numberField(tensor.dims, length)),
    numberField(tensor.type, type),
    textField(tensor.name, name),
    bytesField(tensor.raw, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
  ])

/** Adds a constant, and returns its name. */
export function addConstant(network: Graph, name: string, values: Values, dims: readonly number[] = []): string {
  network.constants.set(name, { name, dims, type: typeOf(values), values })
  return name
}

function typeOf(values: Values): ElementType {
  if (values instanceof Float32Array) return elementTypes.float
  if (values instanceof Uint8Array) return elementTypes.uint8
  if (values instanceof Int8Array) return elementTypes.int8
  return values instanceof Int32Array ? elementTypes.int32 : elementTypes.int64
}

/** The numbers of a constant, if they have fractions. */
export function floatsOf({ constants }: Graph, name: string | undefined): Float32Array | undefined {
  const values = name === undefined ? undefined : constants.get(name)?.values
  return values instanceof Float32Array ? values : undefined
}

/** The whole numbers of a setting. */
export function wholeNumbers({ attributes }: Operation, name: string): number[] {
  const found = attributes.find((each) => each.name === name)
  return numbersOf(found?.fields ?? [], attribute.ints).map((value) => Number(BigInt.asIntN(64, value)))
}

/** The number of a setting. */
export function fraction({ attributes }: Operation, name: string): number {
  const field = attributes.find((each) => each.name === name)?.fields.find(({ no }) => no === attribute.float)
  return field && field.wire !== wires.number ? Buffer.from(field.value).readFloatLE() : 0
}

export function fractionAttribute(name: string, value: number): Attribute {
  const bytes = new Uint8Array(Float32Array.of(value).buffer)
  const type = numberField(attribute.type, 1)
  return {
    name,
    fields: [textField(attribute.name, name), { no: attribute.float, wire: wires.fixed32, value: bytes }, type],
  }
}
