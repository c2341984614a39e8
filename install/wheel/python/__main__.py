from gokernel import main

main()
