// What the first frame of the page (first-frame.ts) shows of the dashboard before the app is there, and the app after it.

export const figureWords = {
  en: {
    title: 'Dashboard',
    revenue: (tax: string) => `Revenue before ${tax}`,
    open: 'Open',
    pending: 'Not sent yet',
    margin: (tax: string) => `Net before ${tax}`,
  },
  he: {
    title: 'לוח בקרה',
    revenue: (tax: string) => `הכנסות לפני ${tax}`,
    open: 'פתוח לתשלום',
    pending: 'טרם נשלח',
    margin: (tax: string) => `רווח לפני ${tax}`,
  },
}

/** What is beside each other depends on the room that a panel beside the page leaves. */
export const figureLook = {
  room: '@container',
  page: 'mx-auto max-w-[76rem] p-4 md:px-8 md:py-6 grid gap-4 md:gap-5',
  header: 'flex items-center gap-3',
  title: 'font-serif text-xl font-semibold flex-1',
  figures: 'grid grid-cols-2 @[53rem]:grid-cols-4 gap-px bg-rule border border-rule rounded-lg overflow-hidden',
  waiting: 'h-30 rounded-lg',
  figure: 'min-w-0 bg-card',
  inside: 'p-4 grid gap-1',
  name: 'text-sm text-soft',
  amount: 'figure-text text-lg md:text-xl truncate',
  below: 'text-sm text-soft truncate',
}
