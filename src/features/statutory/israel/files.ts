import type { StatutoryFile } from '../statutory-file.ts'
import { uniformFile } from './uniform/uniform-file.ts'

/** What the Israel Tax Authority asks for. */
export const israelFiles: readonly StatutoryFile[] = [uniformFile]
