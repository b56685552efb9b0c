import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InferenceSession } from 'onnxruntime-node'
import { expect, test, vi } from 'vitest'
import { generateReceipt } from '../../../../test/receipts/generate.ts'
import { lineColours, lineNetwork, modelFolder, planes } from '../network.ts'
import { paddle } from '../paddle.ts'
import { decodePicture } from '../picture.ts'
import type { Raster } from '../raster.ts'
import { fold } from './fold.ts'
import { lineRanges } from './line-ranges.ts'
import { type Graph, type Operation, parseOnnx, writeOnnx } from './onnx-file.ts'
import { quantize, type Range } from './quantize.ts'

// Measures the ranges of line-ranges.ts. KONTOR_RANGES=1 writes the file anew, from 24 generated receipts that the benchmark
// does not have; otherwise one of them shows whether the ranges still fit.

const onnx = await import('onnxruntime-node').catch(() => undefined)
const isWriting = process.env.KONTOR_RANGES === '1'
const [firstSeed, receiptCount] = [1_001, isWriting ? 24 : 1]

vi.setConfig({ testTimeout: isWriting ? 1_200_000 : 120_000 })

const network = () => fold(parseOnnx(readFileSync(join(modelFolder(), lineNetwork))))

const opened = (graph: Graph, returned: readonly string[] = []) =>
  (onnx as NonNullable<typeof onnx>).InferenceSession.create(writeOnnx(graph, returned), { logSeverityLevel: 3 })

/** The pictures of the lines of generated receipts. */
async function* linesOfReceipts(): AsyncGenerator<Raster> {
  const engine = await paddle()
  for (let seed = firstSeed; seed < firstSeed + receiptCount; seed++)
    for await (const picture of decodePicture((await generateReceipt(seed)).image))
      for (const region of (await engine?.detect(picture)) ?? [])
        yield (await engine?.recognize(picture, region))?.picture as Raster
}

async function resultsOf(session: InferenceSession, { data, width, height }: Raster) {
  const { Tensor } = onnx as NonNullable<typeof onnx>
  return session.run({ x: new Tensor('float32', planes(data, width, height, lineColours), [1, 3, height, width]) })
}

/**
 * Convolutions that are worth it: not the first ones, which see the picture, and not those that see one number for each channel.
 * Their names count up in the order in which they run.
 */
const isWorthIt = ({ kind, name }: Operation) =>
  kind === 'Conv' &&
  Number(name.split('.').pop()) > 1 &&
  Number(name.split('.').pop()) < 33 &&
  !channelWeights.test(name)
const channelWeights = /\.(22|23|26|27)$/

/** The range in which all but the most extreme fiftieth of the lines lie. What an activation makes zero of needs no numbers. */
function rangeOf(ends: readonly [number, number][], isActivated: boolean): [number, number] {
  const at = (list: number[], part: number) => list.sort((a, b) => a - b)[Math.floor(part * (list.length - 1))] ?? 0
  const least = at(
    ends.map(([low]) => low),
    0.02,
  )
  const greatest = at(
    ends.map(([, high]) => high),
    0.98,
  )
  return [round(isActivated ? Math.max(-3, least) : least), round(greatest)]
}
const round = (value: number) => Math.round(value * 1_000) / 1_000

const endsOf = (values: Float32Array): [number, number] =>
  values.reduce<[number, number]>(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [0, 0])

test.runIf(onnx && isWriting)('the ranges are measured and written', async () => {
  const graph = network()
  const convolutions = graph.operations.filter(isWorthIt)
  const names = [...new Set(convolutions.flatMap(({ inputs: [input = ''], outputs }) => [input, ...outputs]))]
  const session = await opened(graph, names)
  const ends = new Map<string, [number, number][]>(names.map((name) => [name, []]))
  for await (const line of linesOfReceipts()) {
    const results = await resultsOf(session, line)
    for (const name of names) ends.get(name)?.push(endsOf(results[name]?.data as Float32Array))
  }
  const isActivated = (name: string) =>
    graph.operations.some(({ kind, inputs }) => kind === 'HardSigmoid' && inputs[0] === name)
  const of = (name = '') => rangeOf(ends.get(name) ?? [], isActivated(name))
  const ranges = convolutions.map(({ name, inputs, outputs }) => [
    name,
    { in: rangeOf(ends.get(inputs[0] ?? '') ?? [], false), out: of(outputs[0]) },
  ])
  const written = (ranges as [string, Range][]).map(
    ([name, range]) => `  '${name}': { in: [${range.in.join(', ')}], out: [${range.out.join(', ')}] },`,
  )
  const file = new URL('./line-ranges.ts', import.meta.url)
  const [before = ''] = readFileSync(file, 'utf8').split('= {')
  writeFileSync(file, `${before}= {\n${written.join('\n')}\n}\n`)
})

test.runIf(onnx && !isWriting)('in eight bits, the columns of a line show the same characters', async () => {
  const [exact, eightBits] = await Promise.all([opened(network()), opened(quantize(network(), lineRanges))])
  let [columns, same] = [0, 0]
  for await (const line of linesOfReceipts()) {
    const [a, b] = [await characters(exact, line), await characters(eightBits, line)]
    columns += a.length
    same += a.filter((character, column) => character === b[column]).length
  }
  expect(columns).toBeGreaterThan(500)
  expect(same / columns).toBeGreaterThan(0.95)
})

test.runIf(onnx)('all convolutions that are worth it are calculated in eight bits', () => {
  const graph = network()
  expect(Object.keys(lineRanges)).toEqual(graph.operations.filter(isWorthIt).map(({ name }) => name))
  const kinds = quantize(graph, lineRanges).operations.map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'QLinearConv')).toHaveLength(27)
  expect(kinds.filter((kind) => kind === 'Conv')).toHaveLength(11)
})

/** The most probable character of each column. */
async function characters(session: InferenceSession, line: Raster): Promise<number[]> {
  const result = Object.values(await resultsOf(session, line))[0]
  const [, columns = 0, classes = 0] = result?.dims ?? []
  const values = result?.data as Float32Array
  return Array.from({ length: columns }, (_, column) => {
    const own = values.subarray(column * classes, (column + 1) * classes)
    return own.indexOf(Math.max(...own))
  })
}
