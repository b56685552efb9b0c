import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { parseEnvFile } from '../../config/env-file.ts'
import { type Static, Type } from '../../core/define/schema.ts'
import { root } from '../processes/bundle.ts'

/** The part of the Compose specification that deploy/compose.yaml uses. Anything else in it is refused, so a misspelt key is. */
const closed = { additionalProperties: false }
const Duration = Type.String({ pattern: '^\\d+[sm]$' })
const Names = Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })
const Service = Type.Object(
  {
    image: Type.String({ pattern: '^[a-z]+(:[\\d.]+)?$' }),
    build: Type.Optional(Type.Object({ context: Type.String(), dockerfile: Type.String() }, closed)),
    profiles: Names,
    command: Type.Optional(Names),
    env_file: Type.Optional(Type.String()),
    environment: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Z][A-Z0-9_]*$' }), Type.String())),
    restart: Type.Literal('unless-stopped'),
    stop_grace_period: Type.Optional(Duration),
    depends_on: Type.Optional(
      Type.Record(Type.String(), Type.Object({ condition: Type.Literal('service_healthy') }, closed)),
    ),
    ports: Type.Optional(Type.Array(Type.String({ pattern: '^([\\d.]+:)?\\d+:\\d+$' }))),
    volumes: Type.Optional(Type.Array(Type.String({ pattern: '^[./a-z][^:]*:/[^:]+(:ro)?$' }))),
    shm_size: Type.Optional(Type.String({ pattern: '^\\d+m$' })),
    healthcheck: Type.Optional(
      Type.Object({ test: Names, interval: Duration, timeout: Duration, start_period: Duration }, closed),
    ),
    networks: Type.Union([Names, Type.Record(Type.String(), Type.Object({ ipv4_address: Type.String() }, closed))]),
  },
  closed,
)
const Network = Type.Object(
  {
    ipam: Type.Object(
      { config: Type.Array(Type.Object({ subnet: Type.String(), ip_range: Type.String() }, closed)) },
      closed,
    ),
  },
  closed,
)
export const Compose = Type.Object(
  {
    name: Type.Literal('kontor'),
    services: Type.Record(Type.String({ pattern: '^[a-z0-9-]+$' }), Service),
    networks: Type.Record(Type.String(), Network),
    volumes: Type.Record(Type.String(), Type.Null()),
  },
  closed,
)
export type Compose = Static<typeof Compose>
type Service = Static<typeof Service>

export const composeText = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8')

/** deploy/compose.yaml with its anchors resolved, without the keys that only hold anchors (x-…). */
export function readCompose(): Compose {
  const document = parse(composeText, { merge: true })
  return Object.fromEntries(Object.entries(document).filter(([key]) => !key.startsWith('x-'))) as Compose
}

/** deploy/.env, as somebody fills the example in. */
export function filledIn(settings: Record<string, string>): Record<string, string> {
  const example = join(root, 'deploy/compose.env.example')
  return { ...parseEnvFile(readFileSync(example, 'utf8'), example), ...settings }
}

/** Replaces the variables, as Compose does. $$ is a $. */
export const interpolated = (text: string, settings: Record<string, string>): string =>
  text.replace(/\$\$|\$\{(\w+)\}/g, (found, name: string) => (found === '$$' ? '$' : (settings[name] ?? '')))

/** The environment of a service: the file of settings, then its own variables. */
export function environmentOf({ env_file, environment = {} }: Service, settings: Record<string, string>) {
  const own = Object.entries(environment).map(([name, value]) => [name, interpolated(value, settings)])
  return { ...(env_file && settings), ...Object.fromEntries(own) } as Record<string, string>
}
