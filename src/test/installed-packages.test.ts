import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { threads } from '../../scripts/bundle.mjs'
import { removeUnneeded, unneeded } from '../../scripts/unneeded.mjs'
import { openReceiptReader } from '../providers/reader/reader.ts'
import { openTypesetter } from '../providers/typeset/typeset.ts'
import { drawReceipt } from './documents/drawn-receipt.ts'
import { newFolder } from './temporary-folder.ts'

/** The packages of an installation for users: what it keeps suffices, and it stays small. Tests run with all files of all packages. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const modules = join(root, 'node_modules')

type Locked = { dev?: boolean }
const locked: Record<string, Locked> = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages

/** The files of packages for users, by their path in node_modules. Packages for other machines are in the lock file only. */
const usersFiles = Object.entries(locked)
  .filter(([folder, { dev }]) => folder !== '' && !dev && existsSync(join(root, folder)))
  .flatMap(([folder]) => ownFiles(folder.slice('node_modules/'.length)))

/** The files of a package without those of packages inside it. */
function ownFiles(folder: string): string[] {
  return readdirSync(join(modules, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : ownFiles(path)
    return entry.isFile() ? [path] : []
  })
}

test('each file that is not needed exists in the locked packages', () => {
  expect(unneeded().filter(({ files }) => !usersFiles.some((file) => files.test(file)))).toEqual([])
})

const neededOn = (machine?: Parameters<typeof unneeded>[0]) => {
  const rules = unneeded(machine)
  return usersFiles.filter((file) => !rules.some(({ files }) => files.test(file)))
}

test('an installation for users takes at most 550 MB', () => {
  const needed = neededOn()
  const blocks = needed.reduce((sum, file) => sum + Math.ceil(statSync(join(modules, file)).size / 4096), 0)
  expect(Math.round((blocks * 4096) / 2 ** 20)).toBeLessThanOrEqual(550)
})

test.each(['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64', 'win32-arm64'])(
  'the reader of receipts keeps its library on %s, and no other',
  (machine) => {
    const [platform = '', arch = ''] = machine.split('-')
    const libraries = neededOn({ platform, arch }).filter((file) => file.endsWith('/onnxruntime_binding.node'))
    expect(libraries).toEqual([`onnxruntime-node/bin/napi-v6/${platform}/${arch}/onnxruntime_binding.node`])
  },
)

/** Beside node_modules, so that files can be linked instead of copied. */
const installation = join(root, '.cache', `installation-${process.pid}`)
const program = (name: string) => pathToFileURL(join(installation, 'dist', `${name}.js`))

beforeAll(() => {
  for (const file of usersFiles) link(join(modules, file), join(installation, 'node_modules', file))
  removeUnneeded(join(installation, 'node_modules'))
  for (const { out } of threads) link(join(root, '.cache', `${out}.js`), fileURLToPath(program(out)))
})
afterAll(() => rmSync(installation, { recursive: true, force: true }))

function link(from: string, to: string) {
  mkdirSync(dirname(to), { recursive: true })
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to) // another disk, or one without links
  }
}

test('it prints every script as the whole packages do', async () => {
  const [whole, ours] = [openTypesetter(), openTypesetter({}, program('typeset-worker'))]
  for (const text of ['Bread לחם', 'Хлеб', 'خبز', 'ขนมปัง', 'ரொட்டி', '面包', 'パン', '빵']) {
    const blocks = ['heading', 'text'].map((kind) => ({ kind, text }))
    const data = {
      title: text,
      sender: '',
      origin: [],
      date: { year: 2026, month: 3, day: 14 },
      language: 'en',
      blocks,
    }
    const request = { template: 'mail-body' as const, organizationId: 'acme', rows: 2, data }
    const printed = await Promise.all([whole.typeset(request), ours.typeset(request)])
    expect(Buffer.compare(...printed), text).toBe(0)
  }
  await Promise.all([whole.close(), ours.close()])
})

test('it reads a receipt in Hebrew', async () => {
  // Not the lowest priority that it has beside requests: beside other tests it would wait for minutes.
  const reader = openReceiptReader({ niceness: 0 }, program('receipt-reader'))
  const path = join(newFolder('receipt'), 'receipt.png')
  const lines = ['מאפיית הפינה בע"מ', 'תאריך 14/03/2025', 'לחם ועוגה 20.00', 'סה"כ לתשלום 20.00']
  await writeFile(path, await drawReceipt(lines))
  const hints = { country: 'IL', dateOrder: 'DMY' as const, currency: 'ILS', today: '2025-03-20' }
  const read = await reader.read({ path, contentType: 'image/png', organizationId: 'acme', hints })
  expect(read).toMatchObject({
    reading: { fields: { total: { value: '20.00' } }, text: expect.stringContaining('לחם') },
  })
  await reader.close()
})
