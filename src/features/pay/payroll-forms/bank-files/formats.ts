import type { BankFormat } from './bank-file.ts'
import { masav } from './masav.ts'
import { nacha } from './nacha.ts'
import { dbsUff, giro } from './singapore.ts'

/** The layouts; the first one of a country is its default. */
export const formats: readonly BankFormat[] = [masav, giro, dbsUff, nacha]
