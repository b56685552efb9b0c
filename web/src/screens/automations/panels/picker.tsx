import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { type Output, read } from '../../../api.ts'
import { actionName } from '../../../ui/schema/operation-names.ts'
import { useLanguage, useWords } from '../../../words.ts'
import { blockIcon, eventName, objectName } from '../editor/names.ts'
import type { Kind } from '../graph/graph.ts'
import { Finder, type Found, fitting } from './finder.tsx'
import { panelWords } from './panel-words.ts'

export type Picked = { kind: Kind; ref: string }
type Lists = NonNullable<Output<'automations_catalog'>['found']>
type List = keyof Lists

const kindOf = { triggers: 'TRIGGER', filters: 'FILTER', actions: 'ACTION' } as const

/** Finds events, actions and what filters find in the catalog. The server searches, in English and Hebrew. */
export function Picker({
  only,
  onPick,
  onClose,
}: {
  only?: Kind
  onPick: (picked: Picked) => void
  onClose: () => void
}) {
  const say = useWords(panelWords)
  const lang = useLanguage()
  const [text, setText] = useState('')
  const query = useDeferredValue(text.trim())
  const found = useLines(query)
  const lists = (['triggers', 'filters', 'actions'] as const).filter((list) => !only || kindOf[list] === only)
  const named: Record<List, (name: string) => string> = {
    triggers: (name) => eventName(lang, name),
    filters: (name) => objectName(lang, name),
    actions: (name) => actionName(lang, name),
  }
  const entries = lists.flatMap((list) =>
    (found?.[list] ?? []).map(
      ({ name, description }): Found => ({
        key: `${list}|${name}`,
        name: named[list](name),
        group: say.groups[list],
        icon: blockIcon({ kind: kindOf[list], ref: name }),
        ...(list !== 'filters' && lang === 'en' && { about: description }),
      }),
    ),
  )
  // what is found by the words shown here comes first: the server knows other words
  const own = query ? fitting(entries, query) : []
  const rest = entries.filter((each) => !own.includes(each))
  return (
    <Finder
      title={only === 'TRIGGER' ? say.pickTrigger : say.pick}
      placeholder={say.search}
      nothing={say.nothing}
      found={[...own, ...rest]}
      text={text}
      onText={setText}
      onPick={({ key }) => {
        const [list = 'actions', ref = ''] = key.split('|')
        onPick({ kind: kindOf[list as List], ref })
      }}
      onClose={onClose}
    />
  )
}

/** Without words everything; with words what the server finds by them, and what has them in its name. */
function useLines(query: string): Lists | undefined {
  const options = { staleTime: Number.POSITIVE_INFINITY, placeholderData: keepPreviousData }
  const triggers = useQuery({ ...read('automations_catalog', { kind: 'triggers' }), ...options }).data?.found
  const filters = useQuery({ ...read('automations_catalog', { kind: 'filters' }), ...options }).data?.found
  const actions = useQuery({ ...read('automations_catalog', { kind: 'actions' }), ...options }).data?.found
  const asked = useQuery({ ...read('automations_catalog', { query }), ...options, enabled: query.length > 1 }).data
    ?.found
  if (query.length > 1) return asked
  if (!triggers || !filters || !actions) return undefined
  return { triggers: triggers.triggers, filters: filters.filters, actions: actions.actions }
}
