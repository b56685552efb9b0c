import type { ReactNode } from 'react'

type Ringed = { tone: string; word: string; bare?: boolean; children: ReactNode }

/** A state as a ring with its word. Shape and word tell it; color only repeats it. */
export const WithRing = ({ tone, word, bare = false, children }: Ringed) => (
  <span className={`inline-flex items-center gap-2 whitespace-nowrap ${tone}`}>
    <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden className="shrink-0">
      {children}
    </svg>
    <span className={bare ? 'sr-only' : ''}>{word}</span>
  </span>
)

/** `dashes`: of a state in which nothing has been done. */
export const Circle = ({ dashes, faint = false }: { dashes?: string | undefined; faint?: boolean }) => (
  <circle
    cx="7"
    cy="7"
    r="5.75"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeDasharray={dashes}
    strokeOpacity={faint ? 0.55 : 1}
  />
)

export const Tick = () => (
  <>
    <circle cx="7" cy="7" r="6.5" fill="currentColor" />
    <path
      d="m4.2 7.2 2 2 3.6-4"
      fill="none"
      stroke="var(--color-card)"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </>
)

export const Cross = () => (
  <path d="m4.8 4.8 4.4 4.4m0-4.4-4.4 4.4" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" />
)
