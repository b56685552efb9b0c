import { nullable, type Static, Type } from '../core/define/schema.ts'
import { problemsOf } from '../core/define/validate.ts'
import { StartFailure } from '../db/start-failure.ts'

const Count = Type.Integer({ minimum: 0 })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** The rows of one table, or of the job queue. */
const Part = Type.Object({ columns: Type.Array(Type.String()), rows: Count, bytes: Count, sha256: Sha256 })
export type Part = Static<typeof Part>

const Files = Type.Object({ count: Count, bytes: Count, sha256: Sha256 })
export type Files = Static<typeof Files>

/** The files that rows refer to, wherever they are stored. Key, size and hash of each are in the rows of `files`. */
const Stored = Type.Object({
  store: Type.Union([Type.Literal('disk'), Type.Literal('s3')]),
  count: Count,
  bytes: Count,
  /** Null if the store could not be asked. */
  missing: nullable(Count),
  /** Some of those that were missing when the backup was taken. */
  missingKeys: Type.Array(Type.String()),
})
export type Stored = Static<typeof Stored>

/** The last entry of a backup: its origin, the list of its contents with checksums, and what it does not contain. */
const Manifest = Type.Object({
  format: Type.Literal(1),
  version: Type.String(),
  takenAt: Type.String(),
  postgres: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Type.String() })),
  parts: Type.Record(Type.String(), Part),
  sequences: Type.Record(Type.String(), Type.String()),
  files: nullable(Files),
  /** Absent in backups of earlier builds, and null if the database has no table of files yet. */
  stored: Type.Optional(nullable(Stored)),
  /** Whether the secrets key is included; only an encrypted backup may include it. */
  includesKey: Type.Optional(Type.Boolean()),
  secrets: Type.Object({
    /** Detects a wrong key before anything is written. Encrypted, as in its table. */
    canary: nullable(Type.Object({ wrapped: Type.String(), kekId: Type.String() })),
    wrappingKeys: Type.Array(Type.String()),
  }),
  notIncluded: Type.Record(Type.String(), Type.String()),
})
export type Manifest = Static<typeof Manifest>

export const manifestName = 'manifest.json'
export const keyName = 'secrets.key'

export function readManifest(text: string, file: string): Manifest {
  const value = parsed(text)
  if (value?.format !== undefined && value.format !== 1) {
    throw new StartFailure(`${file} was made by a newer Kontor (${value.version}): restore it with that version.`)
  }
  if (problemsOf(Manifest, value).length > 0) throw new StartFailure(`${file} is not a backup of Kontor.`)
  return value as Manifest
}

function parsed(text: string): { format?: unknown; version?: unknown } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
