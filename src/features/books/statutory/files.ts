import { israelFiles } from './israel/files.ts'
import { singaporeFiles } from './singapore/files.ts'
import type { StatutoryFile } from './statutory-file.ts'
import { unitedStatesFiles } from './united-states/files.ts'

/** The files of all countries. */
export const statutoryFiles: readonly StatutoryFile[] = [...israelFiles, ...singaporeFiles, ...unitedStatesFiles]
