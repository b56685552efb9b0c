import { readFileSync, writeFileSync } from 'node:fs'
import type { InferenceSession } from 'onnxruntime-node'
import { describe, expect, test, vi } from 'vitest'
import { inProof } from '../../../../test/prove.ts'
import { generateReceipt } from '../../../../test/receipts/generate.ts'
import { detectorColours, detectorNetwork, lineColours, lineNetwork, openModel, planes } from '../network.ts'
import { onnxRuntime } from '../onnx-runtime.ts'
import { forDetector, paddle } from '../paddle.ts'
import { decodePicture } from '../picture.ts'
import type { Raster } from '../raster.ts'
import { detectorRanges } from './detector-ranges.ts'
import { fold } from './fold.ts'
import { lineRanges } from './line-ranges.ts'
import { type Graph, type Operation, writeOnnx } from './onnx-file.ts'
import { quantize } from './quantize.ts'

// Measures the ranges of line-ranges.ts and detector-ranges.ts. KONTOR_RANGES=line or =detector writes that file anew, from 24
// generated receipts that the benchmark does not have; otherwise one of them shows whether the ranges still fit.

const onnx = await onnxRuntime()
const written = process.env.KONTOR_RANGES
const [firstSeed, receiptCount] = [1_001, written ? 24 : 1]
/** Lines of a receipt that are compared. */
const linesEnough = inProof(12, 1_000)

vi.setConfig({ testTimeout: written ? 1_800_000 : 120_000 })

async function* receipts(): AsyncGenerator<Raster> {
  for (let seed = firstSeed; seed < firstSeed + receiptCount; seed++)
    yield* decodePicture((await generateReceipt(seed)).image)
}

/** The pictures of the lines of generated receipts. */
async function* lines(): AsyncGenerator<Raster> {
  const engine = await paddle()
  if (!engine) return
  for await (const picture of receipts())
    for (const region of (await engine.detect(picture)).slice(0, written ? undefined : linesEnough))
      yield (await engine.recognize(picture, region)).picture
}

async function* detectorPictures(): AsyncGenerator<Raster> {
  for await (const picture of receipts()) yield await forDetector(picture)
}

const numberOf = ({ name }: Operation) => Number(name.split('.').pop()) // they count up in the order in which they run

const networks = [
  {
    name: 'line',
    file: lineNetwork,
    colours: lineColours,
    pictures: lines,
    ranges: lineRanges,
    isWorthIt: (convolution: Operation) => numberOf(convolution) < 33, // the others see little of the picture
    count: 27,
  },
  {
    name: 'detector',
    file: detectorNetwork,
    colours: detectorColours,
    pictures: detectorPictures,
    ranges: detectorRanges,
    isWorthIt: (convolution: Operation) => numberOf(convolution) > 7, // the first ones have too wide ranges
    count: 34,
  },
]
type Network = (typeof networks)[number]

const graphOf = ({ file }: Network) => fold(openModel(file))

/** Convolutions that are worth it: not the first two, which see the picture, and not those that see one number for each channel. */
function convolutionsOf(graph: Graph, { isWorthIt }: Network): Operation[] {
  const maker = (name = '') => graph.operations.find(({ outputs }) => outputs.includes(name))
  const seesOnePixel = ({ inputs }: Operation) => {
    const before = maker(inputs[0])
    const first = before?.kind === 'Relu' ? maker(maker(before.inputs[0])?.inputs[0]) : before
    return first?.kind === 'GlobalAveragePool'
  }
  const all = graph.operations.filter(({ kind }) => kind === 'Conv')
  return all.filter((each) => numberOf(each) > 1 && isWorthIt(each) && !seesOnePixel(each))
}

const opened = (graph: Graph, returned: readonly string[] = []) =>
  (onnx as NonNullable<typeof onnx>).InferenceSession.create(writeOnnx(graph, returned), { logSeverityLevel: 3 })

function run(session: InferenceSession, { colours }: Network, { data, width, height }: Raster) {
  const { Tensor } = onnx as NonNullable<typeof onnx>
  return session.run({ x: new Tensor('float32', planes(data, width, height, colours), [1, 3, height, width]) })
}

/** The least and the greatest number of each picture. */
type Ends = [number, number][]

const endsOf = (values: Float32Array): Ends[number] =>
  values.reduce<Ends[number]>(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [0, 0])

/** The range in which all but the most extreme fiftieth of the pictures lie. What an activation makes zero of needs no numbers. */
function rangeOf(ends: Ends, isActivated: boolean): [number, number] {
  const at = (list: number[], part: number) => list.sort((a, b) => a - b)[Math.floor(part * (list.length - 1))] ?? 0
  const [least, greatest] = [at(ends.map(([low]) => low), 0.02), at(ends.map(([, high]) => high), 0.98)] // biome-ignore format: a pair
  return [round(isActivated ? Math.max(-3, least) : least), round(greatest)]
}
const round = (value: number) => Math.round(value * 1_000) / 1_000

async function measured(network: Network): Promise<string> {
  const graph = graphOf(network)
  const convolutions = convolutionsOf(graph, network)
  const names = [...new Set(convolutions.flatMap(({ inputs: [input = ''], outputs }) => [input, ...outputs]))]
  const session = await opened(graph, names)
  const ends = new Map<string, Ends>(names.map((name) => [name, []]))
  for await (const picture of network.pictures()) {
    const results = await run(session, network, picture)
    for (const name of names) ends.get(name)?.push(endsOf(results[name]?.data as Float32Array))
  }
  const isActivated = (name: string) =>
    graph.operations.some(({ kind, inputs }) => kind === 'HardSigmoid' && inputs[0] === name)
  const rows = convolutions.map(({ name, inputs: [input = ''], outputs: [output = ''] }) => {
    const [before, after] = [
      rangeOf(ends.get(input) ?? [], false),
      rangeOf(ends.get(output) ?? [], isActivated(output)),
    ]
    return `  '${name}': { in: [${before.join(', ')}], out: [${after.join(', ')}] },`
  })
  return `{\n${rows.join('\n')}\n}\n`
}

describe.runIf(onnx).each(networks)('the ranges of the $name network', (network) => {
  test.runIf(written === network.name)('are measured and written', async () => {
    const file = new URL(`./${network.name}-ranges.ts`, import.meta.url)
    const [before = ''] = readFileSync(file, 'utf8').split('= {')
    writeFileSync(file, `${before}= ${await measured(network)}`)
  })

  test('are those of all convolutions that are worth it', () => {
    const graph = graphOf(network)
    expect(Object.keys(network.ranges)).toEqual(convolutionsOf(graph, network).map(({ name }) => name))
    const kinds = quantize(graph, network.ranges).operations.map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'QLinearConv')).toHaveLength(network.count)
  })

  test.skipIf(written)('let eight bits see the same in nearly every column and pixel', async () => {
    const [exact, eightBits] = [
      await opened(graphOf(network)),
      await opened(quantize(graphOf(network), network.ranges)),
    ]
    let [seen, same] = [0, 0]
    for await (const picture of network.pictures()) {
      const [a, b] = [seenIn(await run(exact, network, picture)), seenIn(await run(eightBits, network, picture))]
      seen += a.length
      same += a.filter((value, i) => value === b[i]).length
    }
    expect(seen).toBeGreaterThan(500)
    expect(same / seen).toBeGreaterThan(0.95)
  })
})

/** The likeliest character of each column, or whether a pixel is text. */
function seenIn(results: InferenceSession.OnnxValueMapType): number[] {
  const result = Object.values(results)[0]
  const values = result?.data as Float32Array
  const [, columns = 0, classes = 0, width] = result?.dims ?? []
  if (width !== undefined) return Array.from(values, (likelihood) => Number(likelihood > 0.3))
  return Array.from({ length: columns }, (_, column) => {
    const own = values.subarray(column * classes, (column + 1) * classes)
    return own.indexOf(Math.max(...own))
  })
}
