import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Name, type Output, read } from '../../api.ts'
import type { Search } from '../../search.ts'
import { useOrganization } from '../../session.ts'
import { shownInstant } from '../../shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Empty, Skeleton } from '../../ui/card.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { FilterChips, FilterTool } from '../../ui/lists/filter-chips.tsx'
import { filterInput } from '../../ui/lists/list-filters.ts'
import { Problem } from '../../ui/problem.tsx'
import { actionName } from '../../ui/schema/operation-names.ts'
import { AllValues } from '../../ui/values/all-values.tsx'
import type { Row } from '../../ui/values/values.tsx'
import { isolated, useLanguage, useWords, words } from '../../words.ts'
import { SettingsPage } from './layout.tsx'
import { settingsWords } from './words.ts'

const said = words(
  {
    source: 'Done through',
    all: 'All',
    sources: {
      SESSION: 'A person',
      API_KEY: 'An API key',
      OAUTH: 'An app',
      AUTOMATION: 'An automation',
      COMPANION: 'The companion',
    },
    product: 'the product',
    none: 'Nothing was recorded',
    hint: 'Everything that changes something appears here.',
    earlier: 'Earlier',
    later: 'Later',
    about: (thing: string) => `Everything about ${thing}`,
  },
  {
    source: 'נעשה באמצעות',
    all: 'הכול',
    sources: { SESSION: 'אדם', API_KEY: 'מפתח API', OAUTH: 'אפליקציה', AUTOMATION: 'אוטומציה', COMPANION: 'העוזר' },
    product: 'המערכת',
    none: 'לא נרשם דבר',
    hint: 'כל מה שמשנה משהו מופיע כאן.',
    earlier: 'קודם',
    later: 'מאוחר',
    about: (thing) => `כל מה שנוגע אל ${thing}`,
  },
)
const list: Name = 'organizations_audit'
type Entry = Output<'organizations_audit'>['entries'][number]

/** Who did what, when, by which way, with the details. */
export function Audit() {
  const say = useWords(said)
  const { sections } = useWords(settingsWords)
  const { id } = useOrganization()
  const navigate = useNavigate()
  const address = useSearch({ strict: false }) as Search & { source?: string; page?: number }
  const { source = '', page = 1 } = address
  const go = (change: Search) =>
    void navigate({ to: '.', search: { ...address, page: undefined, ...change } as never, replace: true })
  const filtering = { list, address, set: go }
  const input = { organizationId: id, page, limit: 50, ...(source && { source }), ...filterInput(list, address) }
  const { data, error, refetch } = useQuery(read('organizations_audit', input as never))
  const options = [
    { value: '', label: say.all },
    ...Object.entries(say.sources).map(([value, label]) => ({ value, label })),
  ]
  const isLast = data ? page * 50 >= data.pagination.total : true
  return (
    <SettingsPage title={sections.audit}>
      <div className="flex items-end gap-3">
        <Field label={say.source} className="w-64">
          <Select value={source} options={options} onChange={(next) => go({ source: next || undefined })} />
        </Field>
        <FilterTool {...filtering} />
      </div>
      <Card>
        <FilterChips {...filtering} />
        {error && !data && <Problem error={error} onAgain={() => void refetch()} />}
        {!data && !error && <Skeleton className="h-96 m-4" />}
        {data?.entries.length === 0 && <Empty title={say.none}>{say.hint}</Empty>}
        <ul className="py-1">
          {data?.entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} onAbout={(thing) => go({ thing })} />
          ))}
        </ul>
      </Card>
      <div className="flex gap-2">
        <Button isDisabled={page <= 1} onPress={() => go({ page: page - 1 })}>
          {say.later}
        </Button>
        <Button isDisabled={isLast} onPress={() => go({ page: page + 1 })}>
          {say.earlier}
        </Button>
      </div>
    </SettingsPage>
  )
}

function EntryRow({ entry, onAbout }: { entry: Entry; onAbout: (objectId: string) => void }) {
  const { objectId, object } = entry
  const say = useWords(said)
  const lang = useLanguage()
  const { currency } = useOrganization()
  const user = entry.user as { name?: string } | null
  const way = say.sources[entry.source as keyof typeof say.sources] ?? entry.source
  return (
    <li className="px-4 py-2 border-b border-rule last:border-0">
      <details>
        <summary className="grid sm:grid-cols-[minmax(0,1fr)_auto] gap-x-4 items-baseline">
          <span className="truncate">{actionName(lang, entry.operation)}</span>
          <span className="text-soft text-sm">
            <bdi>{user?.name ?? say.product}</bdi> · {way} ·{' '}
            <time dateTime={entry.createdAt}>{shownInstant(lang, entry.createdAt)}</time>
          </span>
        </summary>
        <div className="pt-2 ps-4">
          <AllValues
            of={{ ...(entry.detail as Row | null), operation: entry.operation, request: entry.requestId }}
            currency={currency}
          />
          {objectId && (
            <Button look="quiet" icon="filter" onPress={() => onAbout(objectId)}>
              {say.about(isolated(object?.name ?? objectId))}
            </Button>
          )}
        </div>
      </details>
    </li>
  )
}
