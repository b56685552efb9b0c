import type { Area } from './area.ts'
import { books } from './books.ts'
import { payroll } from './payroll.ts'
import { purchases } from './purchases.ts'
import { trade } from './trade.ts'

const areas: readonly Area[] = [...purchases, ...trade, ...payroll, ...books]

export const areaNamed = (key: string): Area | undefined => areas.find((area) => area.key === key)
