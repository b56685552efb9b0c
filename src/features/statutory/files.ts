import { israelFiles } from './israel/files.ts'
import type { StatutoryFile } from './statutory-file.ts'

/** The files of all countries. */
export const statutoryFiles: readonly StatutoryFile[] = [...israelFiles]
