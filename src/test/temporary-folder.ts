import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The variable with the folder of this run, which runner/global-setup.ts removes at the end. */
export const runFolder = 'KONTOR_TEST_FOLDERS'

/** A new folder that is removed after the run. */
export const newFolder = (name: string): string => mkdtempSync(join(process.env[runFolder] ?? tmpdir(), `${name}-`))
