import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Name } from '../../api.ts'
import { useKeys } from '../../keys.ts'
import type { Search } from '../../search.ts'
import { useIsHere, useMay, useOrganization } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { ListPage, useList } from '../../ui/lists/list-page.tsx'
import { Missing } from '../../ui/missing.tsx'
import { NotAllowed } from '../../ui/not-allowed.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import type { Row } from '../../ui/values/values.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { ActDialog } from './acts/act.tsx'
import { actName } from './acts/act-words.ts'
import type { Area } from './area.ts'
import { areaNamed } from './areas.ts'
import { briefOf, columnOf } from './columns.tsx'
import { areaWords } from './words.ts'

/** The plain list of an area, by the name in the address. */
export function AreaPage() {
  const { area: key } = useParams({ from: '/o/$org/$area' })
  const area = areaNamed(key)
  const may = useMay()
  if (!area) return <Missing />
  return may(area.list) ? <AreaList key={key} area={area} /> : <NotAllowed needs={area.list} />
}

const Beside = lazily(() => import('./record.tsx'), 'Record')
const Upload = lazily(() => import('./receipts/upload.tsx'), 'Upload')

type Listed = Row & { id: string }

function AreaList({ area }: { area: Area }) {
  const lang = useLanguage()
  const may = useMay()
  const { id: org, currency } = useOrganization()
  const known = { organizationId: org }
  const list = useList(
    area.list as 'suppliers_list',
    area.sort ?? { by: '', order: 'asc' },
    (answer) => rowsOf(area, answer as unknown as Row),
    (area.input ?? {}) as never,
    { sorts: area.sort !== undefined, whole: area.whole ?? false },
  )
  const { create } = area
  return (
    <ListPage<Listed>
      list={list as never}
      title={area.title[lang]}
      {...(area.search && { search: area.search[lang] })}
      tools={<AreaTools area={area} known={known} isFirst={list.total === 0} set={list.set} />}
      above={<Around area={area} org={org} />}
      columns={() => area.columns.map((column) => columnOf<Listed>(column, lang, currency))}
      brief={(row) => briefOf(area, row, lang, currency)}
      empty={{
        title: area.none[lang],
        hint: area.hint[lang],
        ...(create &&
          may(create) && {
            action: (
              <Button look="primary" icon="plus" onPress={() => list.set({ new: true })}>
                {actName(lang, create, area)}
              </Button>
            ),
          }),
      }}
      peek={(id, close) => (
        <Beside area={area} id={id} row={list.find((row) => (row as Listed).id === id) as Row} onClose={close} />
      )}
    />
  )
}

function rowsOf({ rows, id = 'id' }: Area, answer: Row): Listed[] {
  const idOf = (row: Row) => (typeof id === 'function' ? id(row) : String(row[id]))
  return ((answer[rows] as Row[] | undefined) ?? []).map((row) => ({ ...row, id: idOf(row) }))
}

/** The way to what belongs together with this list, or back to the settings that it is one of. */
function Around({ area: { key, beside = [], isSetting }, org }: { area: Area; org: string }) {
  const lang = useLanguage()
  const say = useWords(areaWords)
  const may = useMay()
  const isHere = useIsHere()
  if (isSetting)
    return (
      <Link
        to="/o/$org/settings"
        params={{ org }}
        className="flex items-center gap-1 h-9 pointer-coarse:h-11 px-4 md:px-5 border-b border-rule text-soft hover:text-ink shrink-0"
      >
        <Icon name="back" />
        {say.settings}
      </Link>
    )
  const areas = beside
    .flatMap((each) => areaNamed(each) ?? [])
    .filter((each) => may(each.list) && (!each.onlyWith || isHere(each.onlyWith)))
  if (areas.length < 2) return null
  return (
    <nav
      aria-label={say.around}
      className="flex gap-1 px-3 md:px-4 border-b border-rule overflow-x-auto shrink-0 [scrollbar-width:none]"
    >
      {areas.map((each) => (
        <Link
          key={each.key}
          to="/o/$org/$area"
          params={{ org, area: each.key }}
          aria-current={each.key === key ? 'page' : undefined}
          className={`relative flex items-center h-9 pointer-coarse:h-11 px-2 whitespace-nowrap ${each.key === key ? 'font-medium after:absolute after:inset-x-2 after:-bottom-px after:h-0.5 after:bg-accent' : 'text-soft hover:text-ink'}`}
        >
          {each.title[lang]}
        </Link>
      ))}
    </nav>
  )
}

type ToolsProps = { area: Area; known: Row; isFirst: boolean; set: (change: Search) => void }

/** What can be done in the area: create a record, upload a file, and the area's own acts. `new` in the address asks for a record. */
function AreaTools({ area, known, isFirst, set }: ToolsProps) {
  const lang = useLanguage()
  const say = useWords(areaWords)
  const may = useMay()
  const organization = useOrganization()
  const { new: asked } = useSearch({ strict: false }) as Search
  const [chosen, setAct] = useState<Name>()
  const { create, upload, tools = [] } = area
  const allowed = tools.filter(may)
  const main = create && may(create) ? create : create ? undefined : allowed[0]
  const others = allowed.filter((name) => name !== main)
  const begin = main && (() => (main === create ? set({ new: true }) : setAct(main)))
  const act = chosen ?? (asked && main === create ? create : undefined)
  useKeys(begin ? { c: begin } : {})
  const close = (opened?: string) => {
    setAct(undefined)
    set({ new: undefined, ...(opened && { open: opened }) })
  }
  const done = (answer: unknown) => {
    const { id, authorizeUrl } = (answer ?? {}) as Row
    if (typeof authorizeUrl === 'string') location.assign(authorizeUrl) // where the person allows it, and is sent back from
    close(act === create && typeof id === 'string' ? id : undefined)
  }
  return (
    <>
      {upload && may(upload) && <Upload />}
      {others.length > 0 && (
        <Menu
          trigger={<Button icon="more" label={say.more} />}
          entries={others.map((name) => ({ label: actName(lang, name), on: () => setAct(name) }))}
        />
      )}
      {main && begin && (
        <Button look="primary" icon="plus" keys="c" onPress={begin}>
          {actName(lang, main, area)}
        </Button>
      )}
      {act && (
        <ActDialog
          area={area}
          name={act}
          known={known}
          {...(act === create && area.begin && { begin: area.begin(organization, isFirst) })}
          touches={[area.list.split('_')[0] ?? '', 'dashboard']}
          onDone={done}
          onClose={() => close()}
        />
      )}
    </>
  )
}
