import { conflict } from '../../../../core/define/failure.ts'
import { operation } from '../../../../core/define/operation.ts'
import { toUuid } from '../../../../core/define/query.ts'
import { Id, Type, type Warning, Warnings } from '../../../../core/define/schema.ts'
import { Run } from '../automation.ts'
import { requireMayControl } from '../may-execute.ts'
import { refuseAutomation } from '../save-checks.ts'
import { cancelRuns, effectUnknown, interruptedText } from './cancel-runs.ts'
import { readRun } from './read-run.ts'

export const cancel = operation({
  name: 'automations_cancel',
  http: 'POST /api/automations/{id}/runs/{runId}/cancel',
  does: 'Cancels a run that has not ended. What its steps did stays; the step that is carried out at this moment may still have an effect outside, and the answer warns of it.',
  scope: 'automations:write',
  role: 'CONTRIBUTOR',
  within: 'automations',
  input: Type.Object({ id: Id, runId: Id }),
  output: Type.Object({ ...Run.properties, warnings: Type.Optional(Warnings) }),
  async run({ db, who, audit }, { id, runId }) {
    const caller = await who
    refuseAutomation(caller, 'An automation cannot cancel runs.')
    await requireMayControl(db, id, caller)
    const ref = { automationId: id, runId: toUuid(runId) }
    const cancelled = await cancelRuns(db, { ...ref, by: caller })
    const run = await readRun(db, ref, caller)
    if (cancelled === 0)
      throw conflict(`Only a RUNNING run can be cancelled; this one is ${run.status}.`, 'NOT_RUNNING')
    audit({ runId })
    const warnings = interruptedSteps(run)
    return warnings.length > 0 ? { ...run, warnings } : run
  },
})

const interruptedSteps = ({ steps }: Run): Warning[] =>
  steps
    .filter(({ status, error }) => status === 'FAILED' && error === interruptedText)
    .map(({ id }) => effectUnknown(`steps.${id}`))
