import type { Scope } from '../../../core/define/access.ts'
import type { Reading } from '../../../core/tables/field.ts'
import type { ImportKind } from './import.ts'
import type { Outcome, Work } from './write.ts'

/** How rows of one kind are read, recognised and written. */
export type Importer = {
  /** What an import needs beside organizations:write. */
  scopes: readonly Scope[]
  /** How people below MANAGER are refused, if only managers import this kind. */
  managersOnly?: string
  reading: Pick<Reading, 'fields' | 'identity' | 'oneOf' | 'rowsMax'>
  run(work: Work, now: Date): Promise<Outcome>
}

export type Importers = Readonly<Record<ImportKind, Importer>>
