const TABLE = `
  alien 👽  anchor ⚓  art 🎨  axe 🪓  balloon 🎈  banana 🍌  bar_chart 📊  bat 🦇  bear 🐻  bee 🐝  beetle 🪲  bell 🔔
  bird 🐦  blossom 🌼  blue_book 📘  bomb 💣  book 📖  books 📚  brain 🧠  briefcase 💼  broom 🧹  bug 🐛  bulb 💡
  butterfly 🦋  cactus 🌵  calendar 📅  camera 📷  card_index 📇  cat 🐱  chart_with_upwards_trend 📈  check ✅
  cherry_blossom 🌸  clapper 🎬  clipboard 📋  cloud ☁️  clown_face 🤡  coffee ☕  compass 🧭  computer 💻
  construction 🚧  construction_worker 👷  cow 🐮  crab 🦀  crown 👑  crystal_ball 🔮  dart 🎯  deciduous_tree 🌳
  detective 🕵️  dna 🧬  dog 🐶  dolphin 🐬  dragon 🐉  dragon_face 🐲  drum 🥁  eagle 🦅  ear 👂  earth_africa 🌍
  elephant 🐘  evergreen_tree 🌲  eyes 👀  factory 🏭  feather 🪶  fire 🔥  floppy_disk 💾  four_leaf_clover 🍀
  fox_face 🦊  frog 🐸  game_die 🎲  gear ⚙️  gem 💎  ghost 👻  globe_with_meridians 🌐  green_apple 🍏  guitar 🎸
  hammer 🔨  hammer_and_wrench 🛠️  hamster 🐹  handshake 🤝  hatching_chick 🐣  heart ❤️  hedgehog 🦔  herb 🌿
  horse 🐴  hourglass ⌛  house 🏠  inbox_tray 📥  jigsaw 🧩  key 🔑  koala 🐨  label 🏷️  leaves 🍃  lemon 🍋  link 🔗
  lion 🦁  lion_face 🦁  lock 🔒  loudspeaker 📢  mag 🔍  magnet 🧲  mailbox 📫  maple_leaf 🍁  mega 📣  memo 📝
  microphone 🎤  microscope 🔬  moneybag 💰  monkey_face 🐵  moon 🌔  mountain ⛰️  mouse 🐭  mushroom 🍄  newspaper 📰
  notebook 📓  nut_and_bolt 🔩  ocean 🌊  octopus 🐙  open_book 📖  orange_book 📙  owl 🦉  package 📦  panda_face 🐼
  paperclip 📎  peach 🍑  pencil 📝  pencil2 ✏️  penguin 🐧  pig 🐷  pirate_flag 🏴‍☠️  pushpin 📌  rabbit 🐰
  raccoon 🦝  rainbow 🌈  robot 🤖  robot_face 🤖  rocket 🚀  ruler 📏  sailboat ⛵  satellite 🛰️  scales ⚖️
  balance_scale ⚖️  school 🏫  scissors ✂️  scroll 📜  seedling 🌱  shark 🦈  shield 🛡️  ship 🚢  snail 🐌
  snowflake ❄️  space_invader 👾  sparkles ✨  speech_balloon 💬  spider 🕷️  squid 🦑  star ⭐  star2 🌟
  stethoscope 🩺  stopwatch ⏱️  sun_with_face 🌞  sunflower 🌻  sunny ☀️  telescope 🔭  test_tube 🧪  thinking 🤔
  thinking_face 🤔  tiger 🐯  tools 🛠️  triangular_ruler 📐  trophy 🏆  turtle 🐢  umbrella ☔  unicorn 🦄
  unicorn_face 🦄  unlock 🔓  volcano 🌋  warning ⚠️  watch ⌚  wave 👋  whale 🐳  wolf 🐺  wrench 🔧  writing_hand ✍️
  zap ⚡  zebra 🦓
`;

/** The emoji that avatars may use, by code without its colons. */
export const EMOJI: ReadonlyMap<string, string> = new Map(
  [...TABLE.matchAll(/(\w+) (\S+)/g)].map(([, code = "", emoji = ""]) => [code, emoji]),
);
