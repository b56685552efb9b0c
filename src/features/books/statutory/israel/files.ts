import type { StatutoryFile } from '../statutory-file.ts'
import { uniformFile } from './uniform/uniform-file.ts'
import { pcn874 } from './vat/pcn874.ts'
import { withholdingSummary } from './withholding/withholding-summary.ts'

/** What the Israel Tax Authority asks for. */
export const israelFiles: readonly StatutoryFile[] = [uniformFile, pcn874, withholdingSummary]
