/** Puts the focus on a block of the graph, where the graph is shown. */
export const focusBlock = (id: string | undefined) =>
  id && document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)?.focus()

/** The block that has the focus. */
export const focusedBlock = () => document.activeElement?.closest<HTMLElement>('.react-flow__node')?.dataset.id
