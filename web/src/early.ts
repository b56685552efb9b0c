// What the page asks for before the app is there (first-frame.ts), and how the app gets it (api.ts).

type DashboardInput = { organizationId: string; year: number }
export type Early = { answers: Map<string, Promise<Response>>; dashboards: DashboardInput[] }

declare global {
  interface Window {
    early?: Early
  }
}

/** An answer that is older is asked for again: as long as what was read counts as fresh. */
const freshMs = 15_000

/** The answer that is already on its way to an address; each is taken once. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const answer = window.early?.answers.get(url)
  window.early?.answers.delete(url)
  return performance.now() < freshMs ? answer : undefined
}

/** The dashboards that were asked for. */
export const earlyDashboards = (): readonly DashboardInput[] => window.early?.dashboards ?? []
