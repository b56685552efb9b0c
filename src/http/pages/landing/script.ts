/** Signs in and up and goes on to the web app; shows a signed-in person their organizations, and signs out. */
export const landingScript = `(() => {
  const card = document.querySelector('.card')
  const signedOut = card.querySelector('.signed-out')
  const signedIn = card.querySelector('.signed-in')
  const lang = document.documentElement.lang
  const problems = JSON.parse(card.dataset.problems)

  const show = (session) => {
    signedOut.hidden = Boolean(session)
    signedIn.hidden = !session
    if (!session) return
    signedIn.querySelector('.who').textContent = session.user.name
    signedIn.querySelector('.whose').textContent = session.user.email
    const items = session.organizations.map(({ id, name, country, currency, role }) => {
      const item = document.createElement('li')
      const title = document.createElement('bdi')
      const link = document.createElement('a')
      link.href = '/o/' + id
      link.textContent = name
      title.append(link)
      const facts = document.createElement('span')
      facts.dir = 'ltr'
      facts.textContent = [country, currency, role].join(' · ')
      item.append(title, facts)
      return item
    })
    if (items.length === 0) {
      const none = document.createElement('li')
      none.textContent = card.dataset.none
      items.push(none)
    }
    signedIn.querySelector('.belongs').replaceChildren(...items)
  }

  const readSession = async () => {
    const answer = await fetch('/api/auth/session', { headers: { accept: 'application/json' } })
    show(answer.ok ? await answer.json() : undefined)
  }

  const send = async (form) => {
    const problem = form.querySelector('.problem') ?? form.parentElement.querySelector('.problem')
    const button = form.querySelector('button')
    problem.hidden = true
    button.disabled = true
    try {
      const values = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''))
      const answer = await fetch(form.getAttribute('action'), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-language': lang },
        body: JSON.stringify(values),
      })
      if (!answer.ok) {
        const { code, message, details } = (await answer.json()).error
        // This card has no field for the second factor; the sign-in page has one.
        if (details?.[0]?.code === 'SECOND_FACTOR') return location.assign('/sign-in?lang=' + lang)
        throw new Error(problems[details?.[0]?.code ?? code] ?? (lang === 'en' ? message : card.dataset.wrong))
      }
      if (form.getAttribute('action') !== '/api/auth/sign-out') return location.assign('/app')
      form.reset()
      await readSession()
    } catch (error) {
      problem.textContent = error instanceof TypeError || error instanceof SyntaxError ? card.dataset.failed : error.message
      problem.hidden = false
    } finally {
      button.disabled = false
    }
  }

  for (const form of card.querySelectorAll('form')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      send(form)
    })
  }
  const signUp = card.querySelector('details')
  signUp?.addEventListener('toggle', () => signUp.open && signUp.querySelector('input').focus())
  readSession().catch(() => {})
})()
`
