import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

/**
 * SSRF: only the egress module opens outgoing connections. Another file that must do so is added here, with the reason why
 * no organization can choose the address.
 */
const mayTouchTheNetwork: Record<string, string> = {
  'providers/egress/connect.ts': 'the egress module: judges, resolves, connects',
  'providers/egress/http.ts': 'the egress module: speaks HTTP on a connection it is given',
  'providers/mail/smtp.ts': 'the mail server of SMTP_URL, which the operator alone chooses',
  'providers/tracing/otlp.ts': 'the collector of OTEL_EXPORTER_OTLP_ENDPOINT, which the operator alone chooses',
  'providers/storage/s3.ts': 'the file store of S3_URL, which the operator alone chooses',
  'mcp/stdio.ts': 'the running Kontor of KONTOR_URL, which the user of `kontor mcp` chooses',
  'db/embedded/binaries.ts': 'createRequire, to find where the binaries of PostgreSQL are installed',
  'providers/typeset/engine-wasm.ts': 'createRequire, to find where the typesetter is installed',
  'providers/typeset/fonts.ts': 'createRequire, to find where the fonts are installed',
  'providers/reader/no-network.ts': 'makes every connection of the process of the reader fail',
  'providers/reader/ocr/heif.ts': 'createRequire, to load a package without modules',
  'providers/reader/ocr/network.ts': 'createRequire, to find where the models are installed',
  'providers/reader/ocr/tesseract.ts': 'createRequire, to find where the data of the languages is installed',
  'demo/receipts/receipt.ts': 'createRequire, to find where the font of the receipts is installed',
  'db/embedded/life-socket.ts': 'a socket in the data folder, which shows that its Kontor lives',
  'db/embedded/server.ts': 'listens, to find a free port for the embedded PostgreSQL',
  'simulators/mail/peer.ts': 'listens on this machine, for the simulated mail servers',
  'simulators/service/serve.ts': 'listens on this machine, and connects to nothing',
  'program/start/port.ts': 'listens for a moment, to see whether the port is free',
  'http/drain.ts': 'the method that stops listening, for a server that no longer takes connections',
}
const isTest = (file: string) => file.endsWith('.test.ts') || file.startsWith('test/')
// Scripts for the browser, kept as text: their fetch is the browser's own.
const isForBrowsers = (file: string) => /^http\/(pages|oauth|reference)\/(.*[-/])?script\.ts$/.test(file)

const modules =
  'http|https|http2|net|tls|dgram|dns|dns/promises|undici|node-fetch|axios|got|ws|nodemailer|imapflow|s3mini|@opentelemetry/exporter-[\\w-]+'
const specifier = `['"\`](?:node:)?(?:${modules})(?:/[^'"\`]*)?['"\`]`
const forbidden = [
  new RegExp(`\\bimport\\s+(?!type\\b)(?<names>[^'"\`;]*?)\\bfrom\\s*${specifier}`, 'g'),
  new RegExp(`\\bexport\\s+(?!type\\b)[^'"\`;]*?\\bfrom\\s*${specifier}`, 'g'),
  new RegExp(`\\bimport\\s*${specifier}`, 'g'),
  new RegExp(`\\b(?:import|require|getBuiltinModule)\\s*\\(\\s*${specifier}`, 'g'),
  /\bcreateRequire\b|\bprocess\.binding\b/g,
  /(?<![.\w])fetch\s*\(|\b(?:globalThis|global)\s*(?:\.|\[\s*['"])fetch\b|[=:(,{]\s*fetch(?=\s*(?:[),;}]|$))/gm,
  /\bnew\s+(?:WebSocket|EventSource|XMLHttpRequest)\b/g,
]
// Functions that only parse addresses.
const isHarmless = (names = '') => /^\{\s*((type\s+\w+|isIP|isIPv4|isIPv6)\s*,?\s*)+\}\s*$/.test(names)

function usesIn(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  return forbidden.flatMap((pattern) =>
    [...code.matchAll(pattern)].filter(({ groups }) => !isHarmless(groups?.names)).map(([found]) => found),
  )
}

const root = join(import.meta.dirname, '..')
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.[mc]?[jt]sx?$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))

test('SSRF-11 only the listed files can open outgoing connections', () => {
  expect(files.length).toBeGreaterThan(50)
  const found = files
    .filter((file) => !isTest(file) && !isForBrowsers(file) && !(file in mayTouchTheNetwork))
    .flatMap((file) => usesIn(readFileSync(join(root, file), 'utf8')).map((use) => `${file}: ${use}`))
  expect(found).toEqual([])
})

test('every listed file exists and still uses the network', () => {
  for (const file of Object.keys(mayTouchTheNetwork)) {
    expect([file, usesIn(readFileSync(join(root, file), 'utf8')).length > 0]).toEqual([file, true])
  }
})

test.each([
  "import { request } from 'node:http'",
  "import http from 'http'",
  'import * as net from "node:net"',
  "import {\n  isIP,\n  connect,\n} from 'node:net'",
  "import 'node:tls'",
  "import { fetch } from 'undici'",
  "import { S3mini } from 's3mini'",
  "export { connect } from 'node:net'",
  "const net = await import('node:net')",
  "const net = require('net')",
  "await import('@opentelemetry/exporter-trace-otlp-http')",
  "process.getBuiltinModule('node:net')",
  'createRequire(import.meta.url)',
  "await fetch('https://example.com')",
  'globalThis.fetch(url)',
  "globalThis['fetch'](url)",
  'const get = fetch',
  'send(fetch)',
  'const { fetch } = globalThis',
  'new WebSocket(url)',
])('SSRF-11 %j is found', (source) => expect(usesIn(source)).not.toEqual([]))

test.each([
  "import type { Socket } from 'node:net'",
  "import { isIP } from 'node:net'",
  "import { isIP, type Socket } from 'node:net'",
  "import { x } from './http/server.ts'",
  "import { HttpThing } from '../http.ts'",
  '// fetch(url) is what this is not',
  'store.fetch(id)',
  "does: 'Read it once, fetch the list later.'",
  'prefetch(id)',
  'const fetched = 1',
])('%j is left alone', (source) => expect(usesIn(source)).toEqual([]))
