import { draftAutomation, isAutomation } from './draft-automation.ts'
import { type Input, type Intent, type Missing, missing, onRecord } from './intent.ts'
import type { Said } from './said.ts'

const failed = { status: 'FAILED' }

/** The failed runs of all automations, which no list has: a filter finds them. */
const failedRuns: Input = {
  spec: {
    root: 'Run',
    follows: [{ from: 'Run', name: 'automation', as: 'automation' }],
    predicates: [{ object: 'Run', field: 'status', op: 'eq', value: 'FAILED' }],
    extract: [
      { as: 'id', path: 'Run.id' },
      { as: 'automationId', path: 'Run.automationId' },
      { as: 'automation', path: 'automation.name' },
      { as: 'error', path: 'Run.error' },
      { as: 'startedAt', path: 'Run.startedAt' },
    ],
  },
}

const namesOne = (said: Said) => said.target('automation') !== undefined

/** The last failed run of an automation, to carry it on. */
function failedRun(said: Said): Input | Missing {
  const automation = said.target('automation')
  if (automation === undefined) return missing('automation')
  const run = said.around.shown.find(({ kind }) => kind === 'run')
  return {
    id: automation,
    runId: run?.id ?? { $named: 'run', words: '', which: 'latest', where: { status: 'FAILED' } },
  }
}

const runWords = '+automation +run +failed +last'

// biome-ignore format: a table
export const automationIntents: Intent[] = [
  { name: 'draft-automation', tool: 'automations_create', words: ['+automation +create +draft +send +remind +approve +pay +@sales +expense +customer +overdue +unpaid +paid +list +scan +mailbox +duplicate +lowStock +item +stock +order +failed +draftState +open +pending +rejected +approved +markPaid +generate +when +payment +receivedState +automatically +fromMail +record +supplier +dispute +issue +paidBy +employee +payslip +receipt +thanks +change +changed +created +balance +receivables +owed +dashboard +profitAndLoss +revenue +lowStock +who +which +payables +enable +it +bill +deliver +receive +sentState +dueSoon +reject +aging +cash'],
    if: isAutomation, bonus: () => 4, input: draftAutomation, isWhole: true },
  { name: 'automations', tool: 'automations_list', words: ['automation +active +find +which +howMany -failed -run -create -enable -disable'],
    input: ({ has }) => (has('inactive') ? { status: 'PAUSED' } : has('active') ? { status: 'ENABLED' } : has('draftState') ? { status: 'DRAFT' } : {}), isWhole: true },
  { name: 'paused-automations', tool: 'automations_list', words: ['automation inactive'], input: { status: 'PAUSED' }, isWhole: true },
  { name: 'automation-templates', tool: 'automations_templates', words: ['automation help', 'automation which create +find', 'automation top'], if: ({ text }) => /template|idea|suggest|example|תבנית|תבניות|רעיונ|הצע|דוגמ/i.test(text), bonus: () => 3, isWhole: true },
  { name: 'automation-templates', tool: 'automations_templates', words: ['automation'], if: ({ text }) => /templates?|ideas?|suggest|examples?|תבנית|תבניות|רעיונ|דוגמ/i.test(text), bonus: () => 2, isWhole: true },
  { name: 'failed-runs', tool: 'automations_preview', words: [`failed automation|run ${runWords} +which +howMany +who -why -mailbox`], if: (said) => !namesOne(said), input: failedRuns, isWhole: true },
  { name: 'failed-runs-of', tool: 'automations_runs', words: [`failed automation|run ${runWords} -why -mailbox`], if: namesOne, bonus: () => 0.2, input: onRecord('automation', failed) },
  { name: 'explain-failed-run', tool: 'automations_runs', words: [`why failed ${runWords} -mailbox -mailRun -clearance`, 'why automation +failed +run +send', 'why run +failed +automation'], if: namesOne, bonus: () => 0.5, input: onRecord('automation', failed), result: { first: 1 } },
  { name: 'explain-last-failed-run', tool: 'automations_preview', words: [`why failed ${runWords} -mailbox -mailRun -clearance -taxAuthority`, 'why automation +failed +run'], if: (said) => !namesOne(said), input: failedRuns, isWhole: true, result: { first: 1, order: 'newest' } },
  { name: 'automation-runs', tool: 'automations_runs', words: ['run +automation +last +when -failed -enable -disable -replay -payroll -payslip', 'history automation +run', 'when automation +run +generate'], if: namesOne, input: onRecord('automation') },
  { name: 'enable-automation', tool: 'automations_enable', words: ['enable +automation +overdue +remind +send +lowStock +stock +unpaid +expense +invoice +payment +notification -disable -mailRun -scan'], if: (said) => said.has('automation') || namesOne(said), input: onRecord('automation'), isWhole: true },
  { name: 'disable-automation', tool: 'automations_disable', words: ['disable +automation +overdue +remind +send +lowStock +stock +unpaid +expense +invoice +payment +notification -mailbox'], if: (said) => said.has('automation') || namesOne(said), input: onRecord('automation'), isWhole: true },
  { name: 'replay-run', tool: 'automations_replay', words: ['replay +automation +run +failed +it +last -clearance -send'], input: failedRun, isWhole: true },
  { name: 'delete-automation', tool: 'automations_delete', words: ['delete automation +overdue +remind'], input: onRecord('automation'), isWhole: true },
  { name: 'automation-deliveries', tool: 'automations_deliveries', words: ['automation sentState', 'automation send which'], if: ({ isAsking }) => isAsking, isWhole: true },
]
