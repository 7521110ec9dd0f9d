/** Words of each language that occur in most texts and do not tell one text from another (SPEC Q2). */
const LISTS = {
  english:
    'a about above after again against all am an and any are as at be because been before being below between ' +
    'both but by can could did do does doing don down during each few for from further had has have having he her ' +
    'here hers herself him himself his how i if in into is it its itself just me more most my myself no nor not ' +
    'now of off on once only or other our ours ourselves out over own s same she should so some such t than that ' +
    'the their theirs them themselves then there these they this those through to too under until up very was we ' +
    'were what when where which while who whom why will with would you your yours yourself yourselves d ll m re ' +
    've',
  german:
    'ab aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist da ' +
    'dabei dadurch dafür dagegen damit danach daran darauf daraus darin darum darüber das dass davon davor dazu ' +
    'dein deine deinem deinen deiner dem den denn der deren des dessen dich die dies diese diesem diesen dieser ' +
    'dieses dir doch dort du durch ein eine einem einen einer eines einige er es etwas euch euer eure eurem euren ' +
    'eurer für gegen hab habe haben habt hast hat hatte hatten hattest hier hin hinter ich ihm ihn ihnen ihr ihre ' +
    'ihrem ihren ihrer im in indem ins ist ja jede jedem jeden jeder jedes jene jenem jenen jener kann kannst ' +
    'kein keine keinem keinen keiner können könnte man manche mein meine meinem meinen meiner mich mir mit muss ' +
    'musste nach nein nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seit ' +
    'selbst sich sie sind so solche soll sollte sondern sonst über um und uns unser unsere unserem unseren unter ' +
    'viel vom von vor war waren warst was weg weil weiter welche welchem welchen welcher welches wenn wer werde ' +
    'werden wie wieder will wir wird wirst wo wollen wollte wurde wurden während würde würden zu zum zur zwar ' +
    'zwischen',
  french:
    'a à afin ai aie aient ainsi alors as au aucun aucune aussi autre autres aux avaient avais avait avant avec ' +
    'avez aviez avions avoir avons ayant c ça car ce ceci cela celle celles celui ces cet cette ceux chaque chez ' +
    'comme comment d dans de depuis des desquels donc dont du elle elles en encore entre es est et étaient étais ' +
    'était étant êtes être eu eux fait faut fut il ils j jamais je jusqu jusque l la là laquelle le lequel les ' +
    'lesquels leur leurs lorsque lui m ma mais me même mêmes mes mien moi moins mon n ne ni non nos notre nous on ' +
    'ont ou où par parce pas pendant peu peut peuvent plus pour pourquoi puis puisque qu quand que quel quelle ' +
    'quelles quelque quelques quels qui quoi s sa sans se sera serait ses si sien sinon soi soient sois soit ' +
    'sommes son sont sous suis sur t ta tandis te tel telle tes toi ton tous tout toute toutes très tu un une ' +
    'vers vos votre vous y',
  spanish:
    'a al algo algún alguna algunas alguno algunos ante antes aquel aquella aquellas aquellos aquí así aún aunque ' +
    'cada casi como cómo con contra cual cuál cuales cuando cuándo cuanto cuánto de del desde donde dónde dos ' +
    'durante e el él ella ellas ello ellos en entre era eran eras eres es esa esas ese eso esos esta está estaba ' +
    'estaban estado estamos están estar estas este esto estos estoy fin fue fueron fui ha haber había habían han ' +
    'has hasta hay he hemos la las le les lo los más me mí mi mientras mis mucho muy nada ni ninguna ninguno no ' +
    'nos nosotras nosotros nuestra nuestras nuestro nuestros o os otra otras otro otros para pero poco por porque ' +
    'pues que qué quien quién quienes se sea sean según ser será si sí sido sin sino sobre sois somos son soy su ' +
    'sus suya suyo también tampoco tan tanto te ti tiene tienen toda todas todavía todo todos tu tú tus tuya tuyo ' +
    'un una unas uno unos usted ustedes vosotras vosotros vuestra vuestro y ya yo',
  italian:
    'a abbia abbiamo abbiano ad agli ai al alcuna alcune alcuni alcuno alla alle allo allora altra altre altri ' +
    'altro anche ancora avere aveva avevano avevo c che chi ci ciò cioè coi col come con contro così cui d da ' +
    'dagli dai dal dalla dalle dallo degli dei del dell della delle dello dentro di dopo dove e è ed era erano ' +
    'ero essa esse essere essi esso fa fino fra fu furono già gli ha hai hanno ho i il in infatti invece io l la ' +
    'le lei li lo loro lui ma me mentre mi mia mie miei mio molto ne negli nei nel nella nelle nello nessuna ' +
    'nessuno no noi non nostra nostre nostri nostro o od ogni ora per perché però più poi poiché prima proprio ' +
    'può qua qual quale quali quando quanto quasi quella quelle quelli quello questa queste questi questo qui ' +
    'quindi sarà se sé sei senza si sì sia siamo siano siete solo sono sopra sotto sta stata state stati stato ' +
    'stesso su sua sue sugli sui sul sulla sulle sullo suo suoi te ti tra troppo tu tua tue tuo tuoi tutta tutte ' +
    'tutti tutto un una uno v va verso vi voi vostra vostre vostri vostro',
  portuguese:
    'a à ainda além algo alguém algum alguma algumas alguns ao aos apenas aquela aquelas aquele aqueles aquilo as ' +
    'às assim até cada com como contra da das de dela delas dele deles depois desde desta deste do dos e é ela ' +
    'elas ele eles em embora enquanto então entre era eram essa essas esse esses esta está estamos estão estar ' +
    'estas estava estavam este estes estou eu foi fomos for foram há isso isto já lá lhe lhes mais mas me mesma ' +
    'mesmo meu meus mim minha minhas muito na nada não nas nem nenhum nenhuma no nos nós nossa nossas nosso ' +
    'nossos num numa o onde os ou outra outras outro outros para pela pelas pelo pelos pode por porque porquê ' +
    'pois qual quais quando quanto quase que quê quem são se seja sejam sem sempre sendo ser será seu seus só sob ' +
    'sobre somos sou sua suas também tanto te tem têm tenho ter teu teus teve ti tinha tinham toda todas todo ' +
    'todos tu tua tuas tudo um uma umas uns você vocês vos vossa vosso',
  dutch:
    'aan al alle alles als altijd andere ben bent bij d daar dan dat de den der deze die dit doch doen door dus ' +
    'een eens en er ge geen geweest haar had hadden heb hebben hebt heeft hem hen het hier hij hoe hun iemand ' +
    'iets ik in is ja je jij jou jouw jullie kan kon kunnen maar me meer men met mij mijn moet moeten na naar ' +
    'niet niets nog nu of om omdat onder ons onze ook op over reeds s t te tegen toch toen tot u uit uw van veel ' +
    'voor want waren was wat we wel welke werd werden wie wij wil willen word worden wordt zal ze zelf zich zij ' +
    'zijn zo zonder zou zouden',
} as const;

export type LanguageName = keyof typeof LISTS;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

export const STOP_WORDS = Object.fromEntries(
  Object.entries(LISTS).map(([language, words]) => [language, setOf(words)]),
) as Readonly<Record<LanguageName, ReadonlySet<string>>>;
