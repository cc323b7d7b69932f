import m from 'mithril'

const view = (text) => ({
  view: () => [
    m(
      'nav',
      m(m.route.Link, { href: '/' }, 'Home'),
      ' ',
      m(m.route.Link, { href: '/sails' }, 'Sails'),
    ),
    m('p', text),
  ],
})

m.route.prefix = ''
m.route(document.getElementById('app'), '/', {
  '/': view(`There are ${7 * 3} mills.`),
  '/sails': view('Each has four sails.'),
})
