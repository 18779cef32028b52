/** Words that ask or connect, but rarely tell one text from another: a list for each language, English first. */
export const FILLERS = [
  `a about am an and any anybody anyone are as at be been being but by can could did do does doing done dont exactly for from
   get go got had has have having he her here hers him his how i if in into is isnt it its just let lets like may me might mine
   my need of on or our ours out please shall she should so some somebody someone something such tell than that the their
   theirs them then there these they thing things this those to up us want was we were what whats when where whereabouts
   whether which who whom whose why will wish with would you your yours`,
  `aber als am an auf aus bei bin bist da das dass dein dem den der des die dies diese dieser doch du ein eine einem einen einer
   eines er es euch euer fur gibt habe haben hat hatte ich ihm ihn ihr ihre im in ist ja kann kein keine konnen man mein meine
   mit nach nicht noch nur ob oder sein seine sich sie sind so soll uber um und uns unser unsere vom von vor wann war waren warum
   was wegen weil welche welchem welchen welcher welches wem wen wer werden wie wieso wir wird wo wofur woher wohin wurde zu zum
   zur`,
  `a ai au aux avec avez avons c ce ces cet cette combien comment d dans de depuis des du elle elles en es est et etait il ils j
   je l la le les leur leurs lui m ma mais mes mon n ne nos notre nous on ont ou par pas pour pourquoi qu quand que quel quelle
   quelles quels qui quoi s sa sans se ses son sont sur t ta te tes toi ton tu un une vos votre vous y`,
  `a al como con cual cuales cuando cuanta cuantas cuanto cuantos de del donde e el ella ellas ellos en era es esa ese eso esta
   estan este esto fue ha han hay la las le les lo los me mi mis muy no nos nuestra nuestro o para pero por porque que quien
   quienes se ser si sin sobre son su sus te tiene tu un una unas uno unos y ya yo`,
  `a ai al alla che chi ci come con cosa cui da dai dal dalla de dei del della delle di do dov dove e era ha hanno ho i il in io
   la le lo loro ma mi mia mio ne nel nella noi non o per perche piu puo qual quale quali quando quanta quanti quanto si sia sono
   su sua sui sul sulla suo ti tra tu un una uno vi`,
  `a ao aos as com como da das de do dos e ela ele eles em era essa esse esta este eu foi ha isso mais mas me meu minha na nao nas
   no nos nossa nosso o onde os ou para pela pelo por porque qual quais quando quanto quantos que quem se sem ser seu sua tem um
   uma voce`,
  `aan als bij dat de deze die dit een en er haar had heb hebben heeft het hij hoe hoeveel hun ik in is je kan maar me met mijn
   naar niet nog of om ons onze ook op over te tot uit van voor waar waarom wanneer waren was wat we welk welke werd wie wij wordt
   ze zich zij zijn zo zou`,
  `а без бы был была были было в вам вас весь во вот все где да для до его ее если есть же за и из или их к как какая какие
   какой когда кого которая которые который кто куда ли мне мой моя мы на над нам нас наш наша не него нее нет ни но о об он она они
   от откуда по под почему при с со так также там то тоже ты у уже чем что чтобы чье чей эта эти это этот я`,
];

/** Question words and endings of scripts without spaces, where a term is a pair of letters and never a word. */
export const FRAMES =
  /什么|什麼|哪里|哪裡|哪个|哪個|哪些|怎么|怎麼|如何|为什么|為什麼|多少|何时|几个|吗|嗎|呢|请问|請問|何ですか|ですか|ますか|でしょうか|ました|どこ|いつ|どれ|どの|どう|なぜ|教えて|อะไร|ที่ไหน|ไหน|เมื่อไหร่|เมื่อไร|ใคร|อย่างไร|ยังไง|เท่าไหร่|เท่าไร|กี่|무엇|어디|언제|누가|누구|어떻게|얼마|입니까|인가요|나요/g;
