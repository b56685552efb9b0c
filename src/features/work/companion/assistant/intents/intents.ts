import { automationIntents } from './automations.ts'
import { companyIntents } from './company.ts'
import { expenseIntents } from './expenses.ts'
import type { Intent } from './intent.ts'
import { payrollIntents } from './payroll.ts'
import { peopleIntents } from './people.ts'
import { reportIntents } from './reports.ts'
import { salesIntents } from './sales.ts'
import { salesActIntents } from './sales-acts.ts'
import { tradeIntents } from './trade.ts'

/** All kinds of request. Of two that fit equally well the first one counts. */
export const intents: readonly Intent[] = [
  ...salesIntents, ...salesActIntents, ...peopleIntents, ...expenseIntents, ...tradeIntents, ...payrollIntents, ...reportIntents, ...automationIntents, ...companyIntents,
] // biome-ignore format: a list of words
