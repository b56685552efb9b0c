import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { shellEnvironment } from '../../db/embedded/process.ts'

/** What `docker build` makes of a Dockerfile, as folders: a root for each stage. Only the instructions that ours uses. */
export type Image = {
  /** The folder that stands for /. */
  root: string
  workdir: string
  env: Record<string, string>
  entrypoint: string[]
  cmd: string[]
}

type Build = {
  /** Where the files of the context are. */
  root: string
  /** Takes the roots of the stages. */
  folder: string
  /** Stands for `npm ci`, which would fetch packages; gets the options and the folder. */
  install: (options: string[], folder: string) => void
}

/** Follows the instructions of deploy/Dockerfile on the files that .dockerignore lets through. */
export function buildImage({ root, folder, install }: Build): Image {
  const context = join(folder, 'context')
  for (const file of filesOfContext(root)) copy(join(root, file), join(context, file))
  const stages = new Map<string, Image>()
  let image: Image | undefined
  for (const [instruction, rest] of instructionsOf(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'))) {
    if (instruction === 'FROM') {
      const [base = '', , name = 'last'] = rest.split(/\s+/)
      if (!/^node:22-\S+-slim$/.test(base)) throw new Error(`The image is not built from Node but from ${base}.`)
      image = { root: join(folder, name), workdir: '/', env: {}, entrypoint: [], cmd: [] }
      mkdirSync(image.root, { recursive: true })
      stages.set(name, image)
    } else if (image) follow({ image, instruction, rest, install, context, stages })
  }
  if (!image) throw new Error('The Dockerfile has no FROM.')
  return image
}

type Step = Pick<Build, 'install'> & {
  image: Image
  instruction: string
  rest: string
  context: string
  stages: Map<string, Image>
}

function follow({ image, instruction, rest, install, context, stages }: Step) {
  switch (instruction) {
    case 'WORKDIR':
      image.workdir = rest
      mkdirSync(inImage(image, '.'), { recursive: true })
      return
    case 'ENV':
      Object.assign(image.env, Object.fromEntries(rest.split(' ').map((pair) => pair.split('=') as [string, string])))
      return
    case 'COPY':
      return copyInto(image, rest, context, stages)
    case 'RUN':
      return run(image, rest, install)
    case 'ENTRYPOINT':
      image.entrypoint = JSON.parse(rest)
      return
    case 'CMD':
      image.cmd = JSON.parse(rest)
      return
    case 'ARG': // a build without its value
    case 'USER':
    case 'VOLUME':
    case 'EXPOSE':
    case 'STOPSIGNAL':
    case 'HEALTHCHECK':
      return // about containers, not files
    default:
      throw new Error(`The instruction ${instruction} is not known here.`)
  }
}

const inImage = ({ root, workdir }: Image, path: string) =>
  path.startsWith('/') ? join(root, path) : join(root, workdir, path)

/** A folder is copied without its own name, and several files go into the folder that is named last. */
function copyInto(image: Image, rest: string, context: string, stages: Map<string, Image>) {
  const words = rest.split(/\s+/)
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined
  const stage = from === undefined ? undefined : stages.get(from)
  if (from !== undefined && !stage) throw new Error(`COPY names a stage that does not exist: ${from}.`)
  const target = words.pop() ?? ''
  for (const word of words) {
    const source = stage ? inImage({ ...stage, workdir: '/' }, word) : join(context, word)
    const isFolder = statSync(source).isDirectory()
    copy(source, inImage(image, !isFolder && target.endsWith('/') ? join(target, basename(word)) : target))
  }
}

/** Absolute paths of a command are those of the image. Ownership is left as it is: it would need root. */
function run(image: Image, command: string, install: Build['install']) {
  const cwd = inImage(image, '.')
  for (const part of command.split(/\s+&&\s+/)) {
    const [program, ...words] = part.split(/\s+/)
    if (program === 'npm' && words[0] === 'ci') {
      install(words.slice(1), cwd)
      continue
    }
    if (program === 'chown') continue
    const { PATH, HOME } = shellEnvironment() // an image has its programs
    const mapped = part.replace(/(?<=\s)\/\S+/g, (path) => `'${join(image.root, path)}'`)
    const { status, stderr } = spawnSync('sh', ['-c', mapped], {
      cwd,
      encoding: 'utf8',
      env: { PATH, HOME, ...image.env },
    })
    if (status !== 0) throw new Error(`RUN ${part} failed:\n${stderr}`)
  }
}

const copy = (from: string, to: string) => {
  mkdirSync(dirname(to), { recursive: true })
  if (!statSync(from).isDirectory()) return cpSync(from, to)
  // `cp` links instead of copying where it can, which cpSync of Node 20 does not.
  mkdirSync(to, { recursive: true })
  const { status, stderr } = spawnSync('cp', ['-a', '-l', `${from}/.`, to], { encoding: 'utf8' })
  if (status !== 0) cpSync(from, to, { recursive: true, verbatimSymlinks: true, force: true })
  if (status !== 0 && !existsSync(to)) throw new Error(stderr)
}

/** The instructions with their texts; a line that ends with \ goes on in the next one. */
function instructionsOf(dockerfile: string): [instruction: string, rest: string][] {
  const lines = dockerfile
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
  return lines.flatMap((line): [string, string][] => {
    const [, instruction = '', rest = ''] = /^([A-Z]+)\s+(.*\S)\s*$/.exec(line) ?? []
    if (line.trim() !== '' && instruction === '') throw new Error(`Not an instruction: ${line}`)
    return instruction === '' ? [] : [[instruction, rest]]
  })
}

/** The files that Docker would send: those that the last matching line of .dockerignore lets through. */
export function filesOfContext(root: string): string[] {
  const rules = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => ({ lets: line.startsWith('!'), pattern: line.replace(/^!/, '') }))
    .map(({ lets, pattern }) => ({ lets, pattern, expression: expressionOf(pattern) }))
  const isIgnored = (path: string) => rules.findLast(({ expression }) => expression.test(path))?.lets === false
  const letsInto = (folder: string) => rules.some(({ lets, pattern }) => lets && pattern.startsWith(`${folder}/`))
  const filesIn = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) return !isIgnored(path) || letsInto(path) ? filesIn(path) : []
      return isIgnored(path) ? [] : [path]
    })
  return filesIn('')
}

/** A pattern matches a path, or a folder that the path is in. */
function expressionOf(pattern: string): RegExp {
  const text = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\//g, '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '(?:.*/)?')
  return new RegExp(`^${text}(?:/|$)`)
}
