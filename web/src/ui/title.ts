import { useEffect } from 'react'

/** What the tab of the browser, its history and a screen reader call the page: “Customers · Kontor”. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = titleOf(title)
  }, [title])
}

export const titleOf = (title: string) => (title ? `${title} · Kontor` : 'Kontor')
