import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { selfSigned } from '../fakes/certificate.ts'
import { newFolder } from '../temporary-folder.ts'
import { freePort } from './api-process.ts'
import { root } from './bundle.ts'

/** Why a test with nginx is skipped, if it is. */
export const withoutNginx =
  spawnSync('nginx', ['-v'], { stdio: 'ignore' }).error && 'nginx is not installed: apt-get install nginx'

/** The host of deploy/nginx.conf. */
export const host = 'books.example.com'

export type Nginx = {
  /** Sends a request through nginx and answers its status and JSON, or text. */
  send(path: string, more?: Sent): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: unknown }>
  /** The lines of its error log. */
  errors(): string[]
  stop(): Promise<void>
}
type Sent = { method?: string; body?: unknown; headers?: Record<string, string> }

/** deploy/nginx.conf for the ports that processes listen on here, and a certificate of its own. */
function configure(folder: string, text: string, { httpsPort, httpPort }: Record<'httpsPort' | 'httpPort', number>) {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const own = selfSigned({ host })
  writeFileSync(key, own.key, { mode: 0o600 })
  writeFileSync(certificate, own.cert)
  const adapted = text
    .replace(/\S+fullchain\.pem/, certificate)
    .replace(/\S+privkey\.pem/, key)
    .replace('listen 80;', `listen 127.0.0.1:${httpPort};`)
    .replace('listen 443 ', `listen 127.0.0.1:${httpsPort} `)
  writeFileSync(join(folder, 'kontor.conf'), adapted)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const user = process.getuid?.() === 0 ? 'user root;' : '' // whose folders these are
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${user}\ndaemon off;\nworker_processes 1;\npid ${folder}/pid;\nerror_log ${folder}/error.log;
events {}\nhttp { access_log off; ${folders.join(' ')}\ninclude ${folder}/kontor.conf; }\n`,
  )
}

/** deploy/nginx.conf with these processes. */
export function exampleFor(ports: readonly (string | number)[]): string {
  const example = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8').replace(
    /^( *)# (server 127\.0\.0\.1:)/gm,
    '$1$2',
  )
  const places = example.match(/127\.0\.0\.1:300\d(?= max_fails)/g) ?? []
  expect(places).toEqual(ports.map((_, at) => `127.0.0.1:${3000 + at}`))
  return places.reduce((text, place, at) => text.replace(place, `127.0.0.1:${ports[at]}`), example)
}

/** Starts nginx. */
export async function startNginx(config: string): Promise<Nginx> {
  const folder = newFolder('nginx')
  const [httpsPort, httpPort] = [await freePort(), await freePort()]
  const log = join(folder, 'error.log')
  configure(folder, config, { httpsPort, httpPort })
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const send: Nginx['send'] = (path, more = {}) => sendTo(httpsPort, path, more)
  await vi.waitFor(
    async () => {
      expect(child.exitCode, said).toBe(null)
      await send('/')
    },
    { timeout: 60_000, interval: 20 },
  )
  return {
    send,
    errors: () => readFileSync(log, 'utf8').split('\n').filter(Boolean),
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

function sendTo(port: number, path: string, { method = 'GET', body, headers = {} }: Sent): ReturnType<Nginx['send']> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const type =
    text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      servername: host,
      rejectUnauthorized: false, // the certificate is its own
      headers: { host, ...type, ...headers },
    })
    sent.once('error', reject).once('response', (answer) => {
      let received = ''
      answer.setEncoding('utf8').on('data', (chunk) => {
        received += chunk
      })
      answer.once('error', reject).once('end', () => {
        const isJson = answer.headers['content-type']?.startsWith('application/json')
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: isJson ? JSON.parse(received) : received,
        })
      })
    })
    sent.end(text)
  })
}
