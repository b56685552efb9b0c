/** What the address of a screen holds besides its path: the search, the sorting, the view, what is open, and filters. */
export type Search = {
  q?: string
  by?: string
  order?: 'asc' | 'desc'
  view?: string
  open?: string
  year?: number
  [filter: string]: string | number | boolean | undefined
}
