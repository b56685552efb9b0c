import { useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Name } from '../../api.ts'
import { useKeys } from '../../keys.ts'
import type { Search } from '../../search.ts'
import { useMay, useOrganization } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ListPage, useList } from '../../ui/list-page.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Missing } from '../../ui/missing.tsx'
import { labelOf } from '../../ui/schema-words.ts'
import type { Column } from '../../ui/table.tsx'
import { type Row, Value, valueAt } from '../../ui/values.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { ActDialog } from './act.tsx'
import { actName } from './act-words.ts'
import type { Area, AreaColumn } from './area.ts'
import { areaNamed } from './areas.ts'
import { Record as Beside } from './record.tsx'
import { Upload } from './upload.tsx'
import { areaWords } from './words.ts'

/** The plain list of an area, by the name in the address. */
export function AreaPage() {
  const { area: key } = useParams({ from: '/o/$org/$area' })
  const area = areaNamed(key)
  return area ? <AreaList key={key} area={area} /> : <Missing />
}

type Listed = Row & { id: string }

function AreaList({ area }: { area: Area }) {
  const lang = useLanguage()
  const say = useWords(areaWords)
  const may = useMay()
  const { id: org, currency } = useOrganization()
  const known = { [area.organization ?? 'organizationId']: org }
  const list = useList(
    area.list as 'suppliers_list',
    area.sort ?? { by: '', order: 'asc' },
    (answer) => rowsOf(area, answer as unknown as Row),
    { ...area.input, ...known } as never,
    { sorts: area.sort !== undefined, whole: area.whole ?? false, organization: area.organization === undefined },
  )
  const columns = area.columns.map((column) => columnOf(column, lang, currency))
  const [title, second, ...rest] = area.columns
  const last = rest.at(-1) ?? second
  const value = (row: Row, column: AreaColumn | undefined) =>
    column && (
      <Value
        value={valueAt(row, column.field)}
        shown={column.shown ?? 'text'}
        currency={currencyOf(row, column, currency)}
      />
    )
  return (
    <ListPage<Listed>
      list={list as never}
      title={area.title[lang]}
      {...(area.search && { search: say.search })}
      tools={<AreaTools area={area} known={known} isFirst={list.total === 0} set={list.set} />}
      columns={() => columns}
      brief={(row) => ({
        title: value(row, title),
        below: value(row, second),
        end: last !== second && value(row, last),
      })}
      empty={{
        title: say.none,
        hint: area.hint[lang],
        action: area.create && may(area.create) && (
          <Button look="primary" icon="plus" onPress={() => list.set({ new: true })}>
            {area.newName?.[lang] ?? say.create}
          </Button>
        ),
      }}
      peek={(id, close) => (
        <Beside area={area} id={id} row={list.find((row) => (row as Listed).id === id) as Row} onClose={close} />
      )}
    />
  )
}

function rowsOf({ rows, id = 'id' }: Area, answer: Row): Listed[] {
  return ((answer[rows] as Row[] | undefined) ?? []).map((row) => ({ ...row, id: String(row[id]) }))
}

const currencyOf = (row: Row, { currency = 'currency' }: AreaColumn, fallback: string) =>
  typeof row[currency] === 'string' ? row[currency] : fallback

function columnOf(column: AreaColumn, lang: 'en' | 'he', currency: string): Column<Listed> {
  const { field, shown = 'text', sort, spare, head, strong } = column
  const number = shown === 'money' || shown === 'count'
  return {
    key: field,
    head: head?.[lang] ?? labelOf(lang, field.split('.').at(-1) ?? field),
    width: number
      ? '8.5rem'
      : shown === 'name'
        ? 'minmax(8rem, 1fr)'
        : shown === 'flag'
          ? '5rem'
          : 'minmax(6rem, 9rem)',
    end: number,
    ...(sort && { sort }),
    ...(spare && { spare }),
    cell: (row) => (
      <span className={strong ? 'font-medium' : ''}>
        <Value value={valueAt(row, field)} shown={shown} currency={currencyOf(row, column, currency)} />
      </span>
    ),
  }
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
  const begin = create && may(create) ? () => set({ new: true }) : undefined
  const act = chosen ?? (asked && begin ? create : undefined)
  useKeys(begin ? { c: begin } : {})
  const close = (opened?: string) => {
    setAct(undefined)
    set({ new: undefined, ...(opened && { open: opened }) })
  }
  const done = (answer: unknown) => {
    const { id } = (answer ?? {}) as Row
    close(act === create && typeof id === 'string' ? id : undefined)
  }
  return (
    <>
      {upload && may(upload) && <Upload name={upload} onDone={(id) => set({ open: id })} />}
      {allowed.length > 0 && (
        <Menu
          trigger={<Button icon="more" label={say.more} />}
          entries={allowed.map((name) => ({ label: actName(lang, name), on: () => setAct(name) }))}
        />
      )}
      {begin && (
        <Button look="primary" icon="plus" keys="c" onPress={begin}>
          {area.newName?.[lang] ?? say.create}
        </Button>
      )}
      {act && (
        <ActDialog
          name={act}
          known={act === create || 'organizationId' in known ? known : {}}
          {...(act === create && area.newName && { title: area.newName[lang] })}
          {...(act === create && area.begin && { begin: area.begin(organization, isFirst) })}
          {...(act === create && area.ask && { ask: area.ask(organization.country) })}
          touches={[area.list.split('_')[0] ?? '', 'dashboard']}
          onDone={done}
          onClose={() => close()}
        />
      )}
    </>
  )
}
