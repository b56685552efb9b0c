import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useKeys } from '../../keys.ts'
import { Alert } from '../alert.tsx'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'
import { useWayBack } from '../lists/left.ts'
import { useTitle } from '../title.ts'
import { Leaving } from './leaving.tsx'
import { afterAddress, afterTyping } from './on-the-way.ts'

export type Way = { label: string; to: string }

/** A list that fills the page: title, tools, one thing to create (c). */
export function Page({
  title,
  create,
  tools,
  children,
}: {
  title: string
  create?: Way
  tools?: ReactNode
  children: ReactNode
}) {
  const { org } = useParams({ from: '/o/$org' })
  const navigate = useNavigate()
  const make = () => create && void navigate({ to: create.to, params: { org } })
  useKeys({ c: make })
  useTitle(title)
  return (
    <section className="flex-1 min-h-0 min-w-0 flex flex-col">
      <header className="flex max-sm:flex-wrap items-center gap-x-3 gap-y-2 px-4 md:px-5 pt-4 pb-3 border-b border-rule">
        <h1 className="font-serif text-xl font-semibold grow max-sm:flex-1 sm:shrink-0">{title}</h1>
        {tools}
        {create && (
          <Button look="primary" icon="plus" keys="c" onPress={make}>
            {create.label}
          </Button>
        )}
      </header>
      {children}
    </section>
  )
}

/** What is typed stands at once: the address, which keeps it, follows a moment later. */
function useTyped(value: string, onText: (text: string) => void) {
  const [typed, setTyped] = useState(value)
  const onTheWay = useRef<readonly string[]>([])
  useEffect(() => {
    const rest = afterAddress(onTheWay.current, value)
    onTheWay.current = rest ?? []
    if (!rest) setTyped(value)
  }, [value])
  const type = (text: string) => {
    onTheWay.current = afterTyping(onTheWay.current, text, value)
    setTyped(text)
    onText(text)
  }
  const leave = () => {
    onTheWay.current = []
  }
  return { typed, type, leave }
}

type SearchProps = { label: string; value: string; onText: (text: string) => void }

export function Search({ label, value, onText }: SearchProps) {
  const { typed, type, leave } = useTyped(value, onText)
  return (
    <label className="relative max-sm:order-3 max-sm:w-full sm:w-64 sm:min-w-32 sm:shrink">
      <span className="sr-only">{label}</span>
      <Icon name="search" className="absolute start-2.5 top-2 pointer-coarse:top-3.5 text-soft" />
      <input
        type="search"
        value={typed}
        placeholder={label}
        onChange={(event) => type(event.target.value)}
        onBlur={leave}
        className="h-8 pointer-coarse:h-11 w-full ps-8 pe-2 rounded-md border border-rule bg-card pointer-coarse:text-md"
      />
    </label>
  )
}

type Sending = { busy: boolean; problem: string; submit: () => Promise<void>; unsaved: () => boolean }

/** One column, the act at its end, ⌘↵ from anywhere in it. */
export function FormPage({
  title,
  back,
  save,
  form,
  children,
}: {
  title: string
  back: Way
  save: string
  form: Sending
  children: ReactNode
}) {
  const { org } = useParams({ from: '/o/$org' })
  const way = useWayBack(back.to.replace('$org', org))
  useKeys({ 'mod+enter': () => void form.submit() })
  useTitle(title)
  return (
    <div className="flex-1 overflow-y-auto">
      <form
        noValidate
        className="mx-auto max-w-[36rem] p-4 md:py-8 grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void form.submit()
        }}
      >
        <Link
          to={back.to}
          params={{ org }}
          {...way}
          className="justify-self-start flex items-center gap-1 text-soft hover:text-ink"
        >
          <Icon name="back" />
          {back.label}
        </Link>
        <h1 className="font-serif text-xl font-semibold pb-3 double-rule">{title}</h1>
        {form.problem && <Alert>{form.problem}</Alert>}
        {children}
        <div className="pt-2">
          <Button look="primary" type="submit" busy={form.busy}>
            {save}
          </Button>
        </div>
      </form>
      <Leaving unsaved={form.unsaved} />
    </div>
  )
}
