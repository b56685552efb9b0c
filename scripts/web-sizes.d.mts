import type { Metafile } from 'esbuild'

export function webSizes(metafile: Metafile, folder: string): { name: string; kB: number; limit: number }[]
