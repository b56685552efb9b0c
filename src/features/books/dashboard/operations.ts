import { hasScope } from '../../../core/define/access.ts'
import { forbidden } from '../../../core/define/failure.ts'
import { type Member, operation } from '../../../core/define/operation.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { Dashboard } from './dashboard.ts'
import { toExpenses } from './expenses.ts'
import { explain } from './explain.ts'
import { readFigures } from './figures.ts'
import { readPending } from './pending.ts'
import { readStock } from './stock.ts'
import { countedOf, diagnosticsOf, toDashboard } from './to-dashboard.ts'

export const get = operation({
  name: 'dashboard_get',
  http: 'GET /api/dashboard',
  does: 'Sums up a year of an organization in its own currency: revenue, what is open, cash flow, expenses and growth.',
  scope: 'invoices:read',
  role: 'VIEWER',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({
    organizationId: Id,
    year: Type.Optional(
      Type.Integer({
        minimum: 2000,
        maximum: 2100,
        description: 'The year that it is where the organization is, unless given.',
        examples: [2026],
      }),
    ),
    explain: Type.Optional(
      Type.Boolean({
        description:
          'Also the figures without tax, and how the net total becomes the net profit of the profit and loss statement.',
      }),
    ),
  }),
  output: Dashboard,
  async run({ db, now, installation, who }, { year, explain: wantsExplanation = false }) {
    if (wantsExplanation) requireReports(await who)
    const query = { year, now }
    const { figures, pending, stock } = await pipeline({
      figures: readFigures(db, query),
      pending: readPending(db, query),
      stock: readStock(db),
    })
    const expenses = toExpenses(figures)
    const dashboard = {
      ...toDashboard({ figures, pending, expenses, stock }),
      ...(wantsExplanation && (await explain(db, countedOf(figures, expenses)))),
    }
    return installation.mode === 'local' ? { ...dashboard, _diagnostics: diagnosticsOf(figures) } : dashboard
  },
})

/** The net profit is of the reports. */
function requireReports({ scopes }: Pick<Member, 'scopes'>) {
  if (!hasScope(scopes, 'reports:read'))
    throw forbidden('explain needs the scope reports:read, which the credential does not have.', 'SCOPE')
}
