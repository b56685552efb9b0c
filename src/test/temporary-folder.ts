import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the folders of this run are made; global-setup.ts takes it away at the end. */
export const folders = 'KONTOR_TEST_FOLDERS'

/** A new folder of the test's own that is gone after the run. */
export const newFolder = (name: string): string => mkdtempSync(join(process.env[folders] ?? tmpdir(), `${name}-`))
