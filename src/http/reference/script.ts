/** The filter, the copy buttons and the highlighting of the current section. The page is complete without it. */
export const referenceScript = `(() => {
  const filter = document.querySelector('.filter')
  const field = filter.querySelector('input')
  const entries = [...document.querySelectorAll('.side [data-find]')]
  const operations = [...document.querySelectorAll('.operation')]
  filter.hidden = false

  const apply = () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean)
    const matches = (element) => words.every((word) => element.dataset.find.includes(word))
    for (const element of [...entries, ...operations]) element.hidden = !matches(element)
    for (const group of document.querySelectorAll('.nav-group')) group.hidden = !group.querySelector('li:not([hidden])')
    for (const part of document.querySelectorAll('.feature')) part.hidden = !part.querySelector('.operation:not([hidden])')
    for (const part of document.querySelectorAll('.shape, .chapter, .title, .feature-head')) part.classList.toggle('aside', words.length > 0)
    document.querySelector('.nothing').hidden = entries.some((entry) => !entry.hidden)
  }
  field.addEventListener('input', apply)
  document.addEventListener('keydown', (event) => {
    const typing = event.target.closest('input, textarea')
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      document.querySelector('.menu').open = true
      field.focus()
    }
    if (event.key === 'Escape' && typing === field) {
      field.value = ''
      apply()
    }
  })

  for (const figure of document.querySelectorAll('figure.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent)
      button.textContent = 'Copied'
      setTimeout(() => { button.textContent = 'Copy' }, 1600)
    })
    figure.querySelector('figcaption').append(button)
  }

  const menu = document.querySelector('.menu')
  const narrow = matchMedia('(max-width: 56rem)')
  const fold = () => { menu.open = !narrow.matches }
  narrow.addEventListener('change', fold)
  fold()
  menu.addEventListener('click', (event) => { if (narrow.matches && event.target.closest('a')) menu.open = false })

  const links = new Map([...document.querySelectorAll('.side a')].map((link) => [link.hash.slice(1), link]))
  const observer = new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen) {
      if (!isIntersecting) continue
      document.querySelector('.side [aria-current]')?.removeAttribute('aria-current')
      const link = links.get(target.id)
      link?.setAttribute('aria-current', 'true')
      if (!narrow.matches) link?.scrollIntoView({ block: 'nearest' })
    }
  }, { rootMargin: '-12% 0px -78% 0px' })
  for (const part of document.querySelectorAll('.chapter, .feature-head, .operation')) {
    if (!part.id && part.parentElement.id) part.id = part.parentElement.id + '-head'
    observer.observe(part)
  }
})()
`
