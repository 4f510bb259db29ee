# The numbers of tests/core/model/bounded_test.cpp, by R 4.2.2 without packages: Rscript bounded.R
A <- c(-1,1,-1,1,0,0,0,-1,1,0,0)
B <- c(-1,-1,1,1,0,0,0,0,0,-1,1)
y <- c(62.1,97.3,35.4,91.8,80.2,78.9,81.1,50.7,95.9,88.4,69.5) # per cent
logit <- function(y) qlogis(y/100)
f <- lm(logit(y)~A+B+I(A*B)+I(A^2)+I(B^2))
print(coef(f),digits=14); cat(sprintf("sigma %.14f\n",summary(f)$sigma))
for (at in list(c(.5,-.5),c(1,-1))) { new<-data.frame(A=at[1],B=at[2])
  for (kind in c("confidence","prediction")) { p<-predict(f,new,interval=kind); cat(at,kind,sprintf("%.12f",100*plogis(p)),"\n") } }
# exact zeros and limits count as half of the smallest distance from a bound among the others
z <- y; z[2] <- 100; z[3] <- 0
inside <- z[z>0 & z<100]; inset <- min(inside,100-inside)/2; z[z==0] <- inset; z[z==100] <- 100-inset
cat(sprintf("inset %.12f\n",inset)); print(coef(lm(logit(z)~A+B)),digits=14)
# one bound: counts
n <- c(3,17,0,9,6,5,7,2,21,8,4); n[n==0] <- min(n[n>0])/2
print(coef(lm(log(n)~A+B)),digits=14)
