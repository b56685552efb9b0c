import { useQueryClient } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react'
import { session } from '../../api.ts'

// What is typed is kept in the tab until it is saved or the form is closed, so that a page that is loaded again has it. Secrets are
// not kept, nor anything of somebody who is not signed in.

/** The place of a form in the storage of the tab, by the person, the page and the name of the form: what it holds, and how to keep something else. */
export function useKept<T>(name: string) {
  const person = useQueryClient().getQueryData(session.queryKey)?.user.id
  const key = useRef(person && `typed ${person} ${location.pathname} ${name}`).current
  useEffect(() => () => void (key && sessionStorage.removeItem(key)), [key])
  return {
    read(): T | undefined {
      const text = key && sessionStorage.getItem(key)
      return text ? JSON.parse(text) : undefined
    },
    keep(value: T | undefined) {
      if (!key) return
      if (value === undefined) sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, JSON.stringify(value))
    },
  }
}

/** `useState` for what somebody types. */
export function useTyped<T>(name: string, initial: T): [T, Dispatch<SetStateAction<T>>] {
  const kept = useKept<T>(name)
  const begin = useRef(initial).current
  const [value, setValue] = useState<T>(() => kept.read() ?? begin)
  useEffect(() => kept.keep(value === begin ? undefined : value), [value])
  return [value, setValue]
}

/** The fields of a form over those that it begins with, and how to keep what differs from them. */
export function useTypedFields<V extends object>(name: string, initial: V) {
  const kept = useKept<Partial<V>>(name)
  const [begin] = useState(() => {
    const typed = kept.read()
    return typed ? { ...initial, ...typed } : initial
  })
  const keep = (values: V, saved: V) => {
    const typed = keepable(values, saved)
    kept.keep(Object.keys(typed).length > 0 ? (typed as Partial<V>) : undefined)
  }
  return { begin, keep }
}

/** The fields that differ and may be kept. */
export function keepable(values: object, saved: object): Record<string, unknown> {
  const before = saved as Record<string, unknown>
  const isKept = ([field, value]: [string, unknown]) =>
    !isSecret(field) && isPlain(value) && JSON.stringify(value) !== JSON.stringify(before[field])
  return Object.fromEntries(Object.entries(values).filter(isKept))
}

const isSecret = (field: string) => /passw|secret|token|passphrase|credential|key$|^code$|^value$/i.test(field)
/** A file is not kept: its contents are not in the value. */
const isPlain = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  Array.isArray(value) ||
  Object.getPrototypeOf(value) === Object.prototype
