import type { ReactNode } from 'react'
import { useTitle } from '../src/ui/title.ts'

/** One page of the kit: parts under headings, in two columns where there is room. */
export function Sheet({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  return (
    <main data-kit className="p-4 md:p-5 grid gap-4">
      <h1 className="font-serif text-xl font-semibold">{title}</h1>
      <div className="grid gap-4 lg:grid-cols-2 items-start">{children}</div>
    </main>
  )
}

export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="bg-card border border-rule rounded-lg p-4 grid gap-3 min-w-0">
    <h2 className="text-sm text-soft">{title}</h2>
    {children}
  </section>
)

export const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3">{children}</div>
)
