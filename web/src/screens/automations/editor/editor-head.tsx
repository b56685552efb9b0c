import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useOrganization } from '../../../session.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Switch } from '../../../ui/forms/switch.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { useWayBack } from '../../../ui/lists/left.ts'
import { Ask } from '../../../ui/overlays/dialog.tsx'
import { Menu } from '../../../ui/overlays/menu.tsx'
import { useTitle } from '../../../ui/title.ts'
import { useWords } from '../../../words.ts'
import { canvasWords } from '../graph/canvas-words.ts'
import type { Automation } from '../graph/graph.ts'
import { State } from '../runs/state.tsx'
import type { useHistory } from './history.ts'
import type { Draft } from './saving.ts'
import { useSwitching } from './switching.ts'
import type { Warning } from './warnings.tsx'
import { automationWords } from './words.ts'

const EnabledWithWarnings = lazily(() => import('./warnings.tsx'), 'EnabledWithWarnings')

type HeadProps = {
  automation: Automation
  draft: Draft
  dirty: boolean
  busy: boolean
  history: Pick<ReturnType<typeof useHistory<Draft>>, 'undo' | 'redo' | 'mayUndo' | 'mayRedo'>
  view: 'list' | 'graph'
  onView: (view: 'list' | 'graph') => void
  onDraft: (draft: Draft, tag?: string) => void
  onSave: () => Promise<boolean>
  onTest: () => void
  onWarnings: (warnings: readonly Warning[]) => void
  onSwitched: (status: Automation['status']) => void
  onTidy: () => void
  onFit: () => void
  onAdd: () => void
}

/** The name, whether it is on, and what can be done with all of it. */
export function EditorHead(props: HeadProps) {
  const { automation, draft, dirty, busy, history, view, onView, onDraft, onSave, onTest, onTidy, onFit, onAdd } = props
  const say = useWords(canvasWords)
  const list = useWords(automationWords)
  const may = useMay()
  const { id: org } = useOrganization()
  const way = useWayBack(`/o/${org}/automations`)
  const mayEdit = may('automations_update')
  const isGraph = view === 'graph'
  useTitle(draft.name)
  return (
    <header className="flex flex-wrap items-center gap-x-2 gap-y-2 px-4 md:px-5 pt-3 pb-3 border-b border-rule">
      <div className="w-full flex items-center gap-2 min-w-0">
        <Link
          to="/o/$org/automations"
          params={{ org }}
          {...way}
          className="flex items-center gap-1 text-soft hover:text-ink min-h-6"
        >
          <Icon name="back" />
          {list.title}
        </Link>
        <span className="flex-1" />
        <span className="text-sm text-soft">{dirty ? say.unsaved : say.version(automation.version)}</span>
      </div>
      <h1 className="sr-only">{draft.name}</h1>
      <input
        aria-label={say.name}
        dir="auto"
        value={draft.name}
        readOnly={!mayEdit}
        maxLength={200}
        onChange={(event) => onDraft({ ...draft, name: event.target.value }, 'name')}
        className="on-line-start font-serif text-xl font-semibold flex-1 min-w-48 max-sm:basis-full bg-transparent rounded-md -mx-1 px-1 hover:bg-tint focus:bg-card"
      />
      <OnOff {...props} />
      <div role="toolbar" aria-label={say.view} className="flex items-center gap-1">
        <Button look="quiet" icon={isGraph ? 'table' : 'branch'} onPress={() => onView(isGraph ? 'list' : 'graph')}>
          {isGraph ? say.list : say.graph}
        </Button>
        {mayEdit && (
          <>
            <Button look="quiet" icon="plus" label={say.add} keys="n" onPress={onAdd} />
            <Button look="quiet" icon="undo" label={say.undo} isDisabled={!history.mayUndo} onPress={history.undo} />
            <Button look="quiet" icon="redo" label={say.redo} isDisabled={!history.mayRedo} onPress={history.redo} />
          </>
        )}
        {isGraph && mayEdit && <Button look="quiet" icon="tidy" label={say.tidy} keys="t" onPress={onTidy} />}
        {isGraph && <Button look="quiet" icon="fit" label={say.fit} keys="f" onPress={onFit} />}
      </div>
      <ButtonLink icon="history" to="/o/$org/automations/$id/runs" params={{ org, id: automation.id }}>
        {say.runs}
      </ButtonLink>
      {may('automations_test') && (
        <Button icon="play" onPress={onTest}>
          {say.test}
        </Button>
      )}
      {mayEdit && (
        <Button
          look="primary"
          icon="save"
          keys="Control+S"
          isDisabled={!dirty}
          busy={busy}
          onPress={() => void onSave()}
        >
          {say.save}
        </Button>
      )}
    </header>
  )
}

/** On or off. What is not saved yet is saved before it is turned on. */
function OnOff({ automation, dirty, onSave, onSwitched, onWarnings }: HeadProps) {
  const say = useWords(canvasWords)
  const list = useWords(automationWords)
  const may = useMay()
  const navigate = useNavigate()
  const switching = useSwitching()
  const [stopping, setStopping] = useState(false)
  const turn = async (on: boolean, stop = false) => {
    if (on && dirty && !(await onSave())) return
    const done = await switching.turn(automation, on, stop)
    if (!done) return
    onSwitched(done.status)
    onWarnings(done.warnings ?? [])
  }
  if (!may('automations_enable')) return <State of={automation} />
  return (
    <div className="flex items-center gap-2">
      <State of={automation} />
      <Switch
        label={list.turnOn(automation.name)}
        on={automation.status === 'ENABLED'}
        onSwitch={(on) => void turn(on)}
      />
      <Menu
        trigger={<Button look="quiet" icon="more" label={say.more} />}
        entries={[
          { label: say.stop, icon: 'stop', on: () => setStopping(true) },
          {
            label: list.deliveries,
            icon: 'webhook',
            on: () =>
              void navigate({
                to: '/o/$org/automations/deliveries',
                params: { org: automation.organizationId },
                search: { automation: automation.id },
              }),
          },
        ]}
      />
      {stopping && (
        <Ask
          title={say.stopTitle(automation.name)}
          act={say.stopAct}
          danger
          onClose={() => setStopping(false)}
          onAct={() => {
            setStopping(false)
            void turn(false, true)
          }}
        >
          <p>{say.stopAsk}</p>
        </Ask>
      )}
      {switching.warned && (
        <EnabledWithWarnings
          warnings={switching.warned.warnings}
          onClose={switching.close}
          onOff={() => {
            switching.close()
            void turn(false)
          }}
        />
      )}
    </div>
  )
}
