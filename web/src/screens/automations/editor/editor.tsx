import { useQuery } from '@tanstack/react-query'
import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { call, read } from '../../../api.ts'
import { useKeys } from '../../../keys.ts'
import { isLoadingAgain } from '../../../new-version.ts'
import type { Search } from '../../../search.ts'
import { useMay, useOrganization } from '../../../session.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty, Skeleton } from '../../../ui/card.tsx'
import { useKept } from '../../../ui/forms/typed.ts'
import { lazily } from '../../../ui/lazily.tsx'
import { useNarrow } from '../../../ui/narrow.ts'
import { Ask } from '../../../ui/overlays/dialog.tsx'
import { useWords } from '../../../words.ts'
import { newSpec } from '../conditions/filter-spec.ts'
import { canvasWords } from '../graph/canvas-words.ts'
import { useFilterObjects, useKnown } from '../graph/catalog.ts'
import {
  type Automation,
  addBlock,
  blockOf,
  duplicateBlock,
  type Graph,
  inOrder,
  newBlock,
  type Place,
  removeBlock,
  tidied,
} from '../graph/graph.ts'
import type { Picked } from '../panels/picker.tsx'
import { type Editing, EditingContext, type Selection, useEditing } from './editing.ts'
import { EditorHead } from './editor-head.tsx'
import { focusBlock, focusedBlock } from './focus-block.ts'
import { useHistory } from './history.ts'
import { type Draft, draftOf, useSaving } from './saving.ts'

// What is not shown at first is loaded when it is: the list of a phone needs no graph.
const GraphView = lazily(() => import('../graph/graph-view.tsx'), 'GraphView', <Skeleton className="m-5 h-80" />)
const Outline = lazily(() => import('./outline.tsx'), 'Outline')
const Picker = lazily(() => import('../panels/picker.tsx'), 'Picker')
const ConnectPicker = lazily(() => import('../panels/connections.tsx'), 'ConnectPicker')
const Conflict = lazily(() => import('./conflict.tsx'), 'Conflict')
const BlockPanel = lazily(() => import('../panels/block-panel.tsx'), 'BlockPanel')
const EdgePanel = lazily(() => import('../panels/edge-panel.tsx'), 'EdgePanel')
const TestDialog = lazily(() => import('../runs/test-dialog.tsx'), 'TestDialog')

type Unsaved = { draft: Draft; version: number }

/** The graph or its list, and beside it what is selected. What is selected and how it is shown is in the address. */
export function Editor({ automation }: { automation: Automation }) {
  const may = useMay()
  const { id: organizationId } = useOrganization()
  // After the page was loaded again it goes on from what was not saved, and from the version that it was made from.
  const kept = useKept<Unsaved>('graph')
  const [unsaved] = useState(() => kept.read())
  const saving = useSaving(unsaved ? { ...automation, version: unsaved.version } : automation)
  const history = useHistory(unsaved?.draft ?? draftOf(automation))
  const { now: draft, change } = history
  const address = useAddress()
  const known = useKnown(draft)
  const objects = useFilterObjects()
  const { data: runs } = useQuery(read('automations_runs', { id: automation.id, limit: 1 }))
  const [adding, setAdding] = useState<Place | null>(null)
  const [testing, setTesting] = useState(false)
  const [connecting, setConnecting] = useState<string | null>(null)
  const flow = useRef<{ fit: () => void }>(null)
  const dirty = JSON.stringify(draft) !== JSON.stringify(saving.clean)
  const mayEdit = may('automations_update')
  useEffect(() => kept.keep(dirty ? { draft, version: saving.saved.version } : undefined), [draft, dirty])
  const setGraph = ({ blocks, edges }: Graph, tag?: string) =>
    change({ ...draft, blocks: [...blocks], edges: [...edges] }, tag)
  const editing: Editing = {
    graph: draft,
    change: setGraph,
    select: address.select,
    selected: address.selected,
    known,
    objects,
    lastRun: runs?.runs[0],
    warnings: saving.warnings,
    mayEdit,
    organizationId,
  }
  const save = () => saving.save(draft)
  const add = (picked: Picked) => {
    const config =
      picked.kind === 'FILTER' ? { spec: newSpec(objects, picked.ref) } : picked.kind === 'ACTION' ? { input: {} } : {}
    const block = newBlock(draft, picked, config)
    setGraph(addBlock(draft, { ...block, position: besides(draft, adding ?? {}) }, adding ?? {}))
    setAdding(null)
    address.select({ block: block.id })
  }
  const here = () => focusedBlock() ?? address.selected.block
  const addAfter = (after: string | undefined) => setAdding({ after: after ?? inOrder(draft).at(-1)?.id })
  useKeys({
    'mod+s': () => void (mayEdit && dirty && save()),
    t: () => mayEdit && setGraph(tidied(draft)),
    f: () => flow.current?.fit(),
    ...(mayEdit && {
      n: () => addAfter(here()),
      l: () => setConnecting(here() ?? null),
      delete: () => removeHere(),
      backspace: () => removeHere(),
      'mod+d': () => duplicateHere(),
      'mod+z': history.undo,
      'mod+shift+z': history.redo,
    }),
  })
  const removeHere = () => {
    const id = here()
    if (!id || document.activeElement?.closest('aside')) return
    setGraph(removeBlock(draft, id))
    address.select({})
  }
  const duplicateHere = () => {
    const { graph, id } = duplicateBlock(draft, here() ?? '')
    if (!id) return
    setGraph(graph)
    address.select({ block: id })
  }
  const theirs = async () => {
    const fresh = await call('automations_get', { id: automation.id })
    saving.takeTheirs(fresh)
    history.reset(draftOf(fresh))
  }
  const block = blockOf(draft, address.selected.block)
  const edge = draft.edges.find(({ id }) => id === address.selected.edge)
  const close = () => {
    address.select({})
    requestAnimationFrame(() => focusBlock(block?.id ?? edge?.fromBlockId))
  }
  return (
    <EditingContext value={editing}>
      <div className="flex-1 min-h-0 flex flex-col">
        <EditorHead
          automation={saving.saved}
          draft={draft}
          dirty={dirty}
          busy={saving.busy}
          history={history}
          view={address.view}
          onView={address.setView}
          onDraft={change}
          onSave={save}
          onTest={() => setTesting(true)}
          onWarnings={saving.setWarnings}
          onSwitched={(status) => saving.take({ ...saving.saved, status, warnings: [...saving.warnings] })}
          onTidy={() => setGraph(tidied(draft))}
          onFit={() => flow.current?.fit()}
          onAdd={() => addAfter(here())}
        />
        <div className="flex-1 min-h-0 flex">
          <div className="flex-1 min-w-0 min-h-0 grid">
            <Shown
              view={address.view}
              onAdd={setAdding}
              onAddAfter={addAfter}
              onReady={(ready) => {
                flow.current = ready
              }}
            />
          </div>
          {block && <BlockPanel key={block.id} block={block} onClose={close} />}
          {edge && <EdgePanel key={edge.id} edge={edge} onClose={close} />}
        </div>
      </div>
      {adding && (
        <Picker
          {...(draft.blocks.length === 0 && { only: 'TRIGGER' as const })}
          onPick={add}
          onClose={() => setAdding(null)}
        />
      )}
      {connecting && <ConnectPicker from={connecting} onClose={() => setConnecting(null)} />}
      {testing && (
        <TestDialog
          id={automation.id}
          onSave={() => (dirty ? save() : Promise.resolve(true))}
          onClose={() => setTesting(false)}
        />
      )}
      {saving.conflict && (
        <Conflict
          refused={saving.conflict}
          busy={saving.busy}
          onOver={() => void saving.save(draft, true)}
          onTheirs={() => void theirs()}
          onClose={saving.closeConflict}
        />
      )}
      <Leaving dirty={dirty} />
    </EditingContext>
  )
}

type ShownProps = {
  view: 'list' | 'graph'
  onAdd: (place: Place) => void
  onAddAfter: (id: string | undefined) => void
  onReady: (flow: { fit: () => void }) => void
}

function Shown({ view, onAdd, onAddAfter, onReady }: ShownProps) {
  const say = useWords(canvasWords)
  const { graph, mayEdit } = useEditing()
  const begin = (
    <Button look="primary" icon="plus" onPress={() => onAdd({})}>
      {say.addTrigger}
    </Button>
  )
  if (graph.blocks.length === 0)
    return (
      <Empty title={say.empty} action={mayEdit && begin}>
        {mayEdit ? say.keys : say.readOnly}
      </Empty>
    )
  if (view === 'list') return <Outline onAdd={onAddAfter} />
  return <GraphView onAdd={onAdd} onReady={onReady} />
}

/** Behind the block it follows, if somebody has moved that; else its column decides. */
function besides(graph: Graph, { after }: Place): Record<string, unknown> {
  const { x, y } = blockOf(graph, after)?.position ?? {}
  if (typeof x !== 'number' || typeof y !== 'number') return {}
  const taken = graph.blocks.filter(({ position }) => position.x === x + 380).map(({ position }) => Number(position.y))
  return { x: x + 380, y: taken.length > 0 ? Math.max(...taken) + 120 : y }
}

function useAddress() {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const narrow = useNarrow(760)
  const set = (change: Search) =>
    void navigate({ to: '.', search: ((before: Search) => ({ ...before, ...change })) as never, replace: true })
  const selected: Selection = {
    ...(typeof search.block === 'string' && { block: search.block }),
    ...(typeof search.edge === 'string' && { edge: search.edge }),
  }
  const view: 'list' | 'graph' =
    search.view === 'list' || search.view === 'graph' ? search.view : narrow ? 'list' : 'graph'
  return {
    selected,
    view,
    select: ({ block, edge }: Selection) => set({ block, edge }),
    setView: (next: 'list' | 'graph') => set({ view: next }),
  }
}

/** Asks before what was not saved is lost. Selecting something changes the address, and leaves nothing. */
function Leaving({ dirty }: { dirty: boolean }) {
  const say = useWords(canvasWords)
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => dirty && !isLoadingAgain(),
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Ask title={say.leave} act={say.leaveAct} danger onAct={blocker.proceed} onClose={blocker.reset}>
      <p>{say.leaveAsk}</p>
    </Ask>
  )
}
